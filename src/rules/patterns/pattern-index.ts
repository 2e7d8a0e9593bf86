import type { Octets } from '../../domain/octets.ts';
import { compareSpecificity, type Pattern } from './pattern.ts';
import { groupByPrefix, type PatternGroup } from './pattern-groups.ts';
import { createSearchBudget, type SearchBudget, searchMiddle } from './search-middle.ts';

/**
 * Finds the most specific of many wildcard patterns that match a value, in bounded work.
 *
 * A star matches zero or more octets, anywhere and any number of times. The most specific pattern has the longest
 * literal prefix, then the most literal octets, then was declared first. Patterns are grouped by their prefix; the groups
 * that a value begins with are found by one binary search, those of a group that end in a suffix by look-up. Only the
 * parts between two stars must be searched for, so only such patterns are capped (`pattern-bounds.ts`).
 */
export interface PatternIndex<T> {
  find(value: Octets): T | undefined;
  /** Patterns in the order in which they win; for explanations. */
  readonly patterns: readonly Pattern<T>[];
}

export function createPatternIndex<T>(patterns: readonly Pattern<T>[]): PatternIndex<T> {
  const groups = groupByPrefix(patterns);
  return Object.freeze({
    patterns: Object.freeze([...patterns].sort(compareSpecificity)),
    find: (value: Octets) => find(groups, value),
  });
}

function find<T>(groups: readonly PatternGroup<T>[], value: Octets): T | undefined {
  let budget: SearchBudget | undefined;
  for (let group = deepestGroup(groups, value); group !== undefined; group = group.parent) {
    const bySuffix = findBySuffix(group, value);
    for (const pattern of group.searched) {
      if (bySuffix !== undefined && compareSpecificity(bySuffix, pattern) < 0) break;
      if (!frameFits(pattern, value)) continue;
      budget ??= createSearchBudget();
      if (searchMiddle(pattern, value, budget)) return pattern.target;
    }
    if (bySuffix !== undefined) return bySuffix.target;
  }
  return undefined;
}

/** The group with the longest prefix that the value begins with. */
function deepestGroup<T>(groups: readonly PatternGroup<T>[], value: Octets): PatternGroup<T> | undefined {
  let low = 0;
  let high = groups.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((groups[middle] as PatternGroup<T>).prefix <= value) low = middle + 1;
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

function findBySuffix<T>(group: PatternGroup<T>, value: Octets): Pattern<T> | undefined {
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
