import type { Octets } from '../../domain/octets.ts';
import { compareSpecificity, type Pattern } from './pattern.ts';

/** The patterns of one literal prefix. */
export interface PatternGroup<T> {
  readonly prefix: Octets;
  /** The group of the longest shorter prefix that this one begins with. */
  readonly parent: PatternGroup<T> | undefined;
  /** How many groups there are from here up. */
  readonly depth: number;
  /** Patterns with one star, by suffix. */
  readonly bySuffix: ReadonlyMap<string, Pattern<T>>;
  /** Longest first. */
  readonly suffixLengths: readonly number[];
  /** Patterns with a middle, the most specific first. */
  readonly searched: readonly Pattern<T>[];
}

/** Sorted by prefix, as the search needs them. */
export function groupByPrefix<T>(patterns: readonly Pattern<T>[]): readonly PatternGroup<T>[] {
  const byPrefix = new Map<Octets, Pattern<T>[]>();
  for (const pattern of patterns) {
    const group = byPrefix.get(pattern.prefix);
    if (group === undefined) byPrefix.set(pattern.prefix, [pattern]);
    else group.push(pattern);
  }
  const groups: PatternGroup<T>[] = [];
  for (const prefix of [...byPrefix.keys()].sort(compareOctets)) {
    // Sorted, so the prefixes that this one begins with are the group before it and that one's parents.
    let parent = groups[groups.length - 1];
    while (parent !== undefined && !prefix.startsWith(parent.prefix)) parent = parent.parent;
    groups.push(makeGroup(prefix, parent, byPrefix.get(prefix) as Pattern<T>[]));
  }
  return groups;
}

function makeGroup<T>(
  prefix: Octets,
  parent: PatternGroup<T> | undefined,
  patterns: Pattern<T>[],
): PatternGroup<T> {
  const bySuffix = new Map<string, Pattern<T>>();
  const searched: Pattern<T>[] = [];
  for (const pattern of patterns.sort(compareSpecificity)) {
    if (pattern.middle.length > 0) searched.push(pattern);
    else if (!bySuffix.has(pattern.suffix)) bySuffix.set(pattern.suffix, pattern);
  }
  const lengths = new Set([...bySuffix.keys()].map((suffix) => suffix.length));
  return {
    prefix,
    parent,
    depth: (parent?.depth ?? 0) + 1,
    bySuffix,
    suffixLengths: [...lengths].sort((a, b) => b - a),
    searched,
  };
}

/** By octet; JavaScript compares strings by code unit, which here is one. */
function compareOctets(a: Octets, b: Octets): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
