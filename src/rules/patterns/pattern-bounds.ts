import type { Octets } from '../../domain/octets.ts';
import type { Pattern } from './pattern.ts';
import { groupByPrefix, type PatternGroup } from './pattern-groups.ts';

/**
 * What a value may cost. "Nested" patterns are those whose prefixes begin with one another, as a value can meet them all.
 * Values of up to 512 octets are always searched in full, and longer ones unless they were made to be slow to search. When
 * the bounds are used up, a pattern whose prefix and suffix fit counts as matched: a padded value must not slip out of its
 * limit.
 */
export const patternBounds = Object.freeze({
  /** Octets of one pattern. */
  length: 16_384,
  /** Different prefixes that begin with one another. */
  nested: 512,
  /** Nested patterns with two stars or more. */
  searched: 16,
  /** Literals between their stars. */
  searchedParts: 1_024,
  /** Nested patterns' suffixes: how many lengths, and their sum in octets. */
  suffixLengths: 128,
  suffixOctets: 16_384,
  /** Of one value, by all patterns together. */
  octetsSearched: 8_192,
  /** Of what is longer: octets that are looked through for the first of a part, and octets that are then compared. */
  octetsSkimmed: 262_144,
  octetsCompared: 4_096,
});

/** A fault of a set of patterns: it could cost too much. */
export interface PatternFault {
  /** The last pattern of the nest, to name a place. */
  readonly pattern: Octets;
  readonly reason: string;
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
function findNestFault(deepest: PatternGroup<unknown>): string | undefined {
  if (deepest.depth > patternBounds.nested) {
    return `more than ${patternBounds.nested} patterns' literal beginnings begin with one another`;
  }
  let searched = 0;
  let searchedParts = 0;
  let suffixLengths = 0;
  let suffixOctets = 0;
  for (let group: PatternGroup<unknown> | undefined = deepest; group !== undefined; group = group.parent) {
    searched += group.searched.length;
    for (const { middle } of group.searched) searchedParts += middle.length;
    for (const length of group.suffixLengths) {
      suffixLengths += 1;
      suffixOctets += length;
    }
    if (searched > patternBounds.searched) {
      return `more than ${patternBounds.searched} patterns with two stars or more begin alike`;
    }
    if (searchedParts > patternBounds.searchedParts) {
      return `more than ${patternBounds.searchedParts} stars in patterns that begin alike`;
    }
    if (suffixLengths > patternBounds.suffixLengths || suffixOctets > patternBounds.suffixOctets) {
      return 'too many patterns with endings of different lengths begin alike';
    }
    if (group.bySuffix.has('')) return undefined;
  }
  return undefined;
}
