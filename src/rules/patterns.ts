import type { Octets } from '../domain/octets.ts';

/**
 * Finds the most specific of many wildcard patterns that match a value, in bounded work.
 *
 * A star matches zero or more octets, anywhere and any number of times. The most specific pattern has the longest
 * literal prefix, then the most literal octets, then was declared first. Patterns are grouped by their prefix; the groups
 * that a value begins with are found by one binary search, those of a group that end in a suffix by look-up. Only the
 * parts between two stars must be searched for, so only such patterns are capped ({@link patternBounds}).
 */
export interface PatternIndex<T> {
  find(value: Octets): T | undefined;
  /** Patterns in the order in which they win; for explanations. */
  readonly patterns: readonly Pattern<T>[];
}

/** A value with at least one star, taken apart. */
export interface Pattern<T> {
  readonly text: Octets;
  readonly prefix: Octets;
  /** Literals between the first and the last star; empty ones are left out. */
  readonly middle: readonly Octets[];
  readonly suffix: Octets;
  /** Number of literal octets. */
  readonly literals: number;
  /** Order of declaration. */
  readonly order: number;
  readonly target: T;
}

/**
 * What a value may cost. "Nested" patterns are those whose prefixes begin with one another, as a value can meet them all.
 * Beyond `octetsSearched` for one value, a pattern whose prefix and suffix fit counts as matched: a padded value must not
 * slip out of its limit. Values of up to 512 octets are always searched in full.
 */
export const patternBounds = Object.freeze({
  /** Octets of one pattern. */
  length: 16_384,
  /** Nested patterns with two stars or more. */
  searched: 24,
  /** Nested patterns' suffixes: how many lengths, and their sum in octets. */
  suffixLengths: 128,
  suffixOctets: 16_384,
  octetsSearched: 12_288,
});

interface Group<T> {
  readonly prefix: Octets;
  /** The group of the longest shorter prefix that this one begins with. */
  readonly parent: Group<T> | undefined;
  /** Patterns with one star, by suffix. */
  readonly bySuffix: ReadonlyMap<string, Pattern<T>>;
  /** Longest first. */
  readonly suffixLengths: readonly number[];
  /** Patterns with a middle, the most specific first. */
  readonly searched: readonly Pattern<T>[];
}

/** A fault of a set of patterns: it could cost too much. */
export interface PatternFault {
  /** The last pattern of the nest, to name a place. */
  readonly pattern: Octets;
  readonly reason: string;
}

export function isPattern(value: string): boolean {
  return value.includes('*');
}

export function parsePattern<T>(text: Octets, order: number, target: T): Pattern<T> {
  const parts = text.split('*') as Octets[];
  const prefix = parts[0] as Octets;
  const suffix = parts[parts.length - 1] as Octets;
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const literals = text.length - (parts.length - 1);
  return Object.freeze({ text, prefix, middle, suffix, literals, order, target });
}

/** How specific patterns are among each other: negative when `a` wins. */
export function compareSpecificity(a: Pattern<unknown>, b: Pattern<unknown>): number {
  return b.prefix.length - a.prefix.length || b.literals - a.literals || a.order - b.order;
}

export function createPatternIndex<T>(patterns: readonly Pattern<T>[]): PatternIndex<T> {
  const groups = groupByPrefix(patterns);
  return Object.freeze({
    patterns: Object.freeze([...patterns].sort(compareSpecificity)),
    find: (value: Octets) => find(groups, value),
  });
}

/** undefined when every value can be matched within the bounds. */
export function findPatternFault(patterns: readonly Pattern<unknown>[]): PatternFault | undefined {
  const long = patterns.find((pattern) => pattern.text.length > patternBounds.length);
  if (long !== undefined) {
    return { pattern: long.text, reason: `a pattern may have ${patternBounds.length} octets` };
  }
  for (const group of groupByPrefix(patterns)) {
    const reason = findNestFault(group);
    if (reason === undefined) continue;
    const pattern = group.searched[0] ?? [...group.bySuffix.values()][0];
    return { pattern: pattern?.text ?? group.prefix, reason };
  }
  return undefined;
}

/** What a value may meet that begins with this group's prefix: the group and those above it, up to one that takes all. */
function findNestFault(deepest: Group<unknown>): string | undefined {
  let searched = 0;
  let suffixLengths = 0;
  let suffixOctets = 0;
  for (let group: Group<unknown> | undefined = deepest; group !== undefined; group = group.parent) {
    searched += group.searched.length;
    for (const length of group.suffixLengths) {
      suffixLengths += 1;
      suffixOctets += length;
    }
    if (searched > patternBounds.searched) {
      return `more than ${patternBounds.searched} patterns with two stars or more begin alike`;
    }
    if (suffixLengths > patternBounds.suffixLengths || suffixOctets > patternBounds.suffixOctets) {
      return 'too many patterns with endings of different lengths begin alike';
    }
    if (group.bySuffix.has('')) return undefined;
  }
  return undefined;
}

function groupByPrefix<T>(patterns: readonly Pattern<T>[]): readonly Group<T>[] {
  const byPrefix = new Map<Octets, Pattern<T>[]>();
  for (const pattern of patterns) {
    const group = byPrefix.get(pattern.prefix);
    if (group === undefined) byPrefix.set(pattern.prefix, [pattern]);
    else group.push(pattern);
  }
  const groups: Group<T>[] = [];
  for (const prefix of [...byPrefix.keys()].sort(compareOctets)) {
    // Sorted, so the prefixes that this one begins with are the group before it and that one's parents.
    let parent = groups[groups.length - 1];
    while (parent !== undefined && !prefix.startsWith(parent.prefix)) parent = parent.parent;
    groups.push(makeGroup(prefix, parent, byPrefix.get(prefix) as Pattern<T>[]));
  }
  return groups;
}

function makeGroup<T>(prefix: Octets, parent: Group<T> | undefined, patterns: Pattern<T>[]): Group<T> {
  const bySuffix = new Map<string, Pattern<T>>();
  const searched: Pattern<T>[] = [];
  for (const pattern of patterns.sort(compareSpecificity)) {
    if (pattern.middle.length > 0) searched.push(pattern);
    else if (!bySuffix.has(pattern.suffix)) bySuffix.set(pattern.suffix, pattern);
  }
  const lengths = new Set([...bySuffix.keys()].map((suffix) => suffix.length));
  return { prefix, parent, bySuffix, suffixLengths: [...lengths].sort((a, b) => b - a), searched };
}

function find<T>(groups: readonly Group<T>[], value: Octets): T | undefined {
  let budget = patternBounds.octetsSearched;
  for (let group = deepestGroup(groups, value); group !== undefined; group = group.parent) {
    const bySuffix = findBySuffix(group, value);
    for (const pattern of group.searched) {
      if (bySuffix !== undefined && compareSpecificity(bySuffix, pattern) < 0) break;
      if (!frameFits(pattern, value)) continue;
      const left = searchMiddle(pattern, value, budget);
      if (left >= 0) return pattern.target;
      budget += left;
    }
    if (bySuffix !== undefined) return bySuffix.target;
  }
  return undefined;
}

/** The group with the longest prefix that the value begins with. */
function deepestGroup<T>(groups: readonly Group<T>[], value: Octets): Group<T> | undefined {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((groups[middle] as Group<T>).prefix <= value) low = middle + 1;
    else high = middle;
  }
  let group = groups[low - 1];
  if (group === undefined) return undefined;
  // Every prefix of the value in this set is this group's or one of its parents'.
  const common = commonLength(group.prefix, value);
  while (group !== undefined && group.prefix.length > common) group = group.parent;
  return group;
}

function commonLength(a: Octets, b: Octets): number {
  if (b.startsWith(a)) return a.length;
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

function findBySuffix<T>(group: Group<T>, value: Octets): Pattern<T> | undefined {
  const room = value.length - group.prefix.length;
  for (const length of group.suffixLengths) {
    if (length > room) continue;
    const found = group.bySuffix.get(length === 0 ? '' : value.slice(-length));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the value ends with the suffix and is long enough for all literals; its prefix is known to fit. */
function frameFits(pattern: Pattern<unknown>, value: Octets): boolean {
  return value.length >= pattern.literals && value.endsWith(pattern.suffix);
}

/**
 * Searches the middle parts from left to right, each at its first place: no other choice can fit more.
 * @returns 0 or more when they fit or the budget ran out; else the octets that were searched, negative, at least -budget.
 */
function searchMiddle(pattern: Pattern<unknown>, value: Octets, budget: number): number {
  const start = pattern.prefix.length;
  const end = value.length - pattern.suffix.length;
  const searchable = value.slice(start, Math.min(end, start + budget));
  let from = 0;
  for (const part of pattern.middle) {
    const at = searchable.indexOf(part, from);
    if (at < 0) return start + searchable.length < end ? 0 : -searchable.length;
    from = at + part.length;
  }
  return 0;
}

/** By octet; JavaScript compares strings by code unit, which here is one. */
function compareOctets(a: Octets, b: Octets): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
