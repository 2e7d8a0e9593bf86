import type { Octets } from '../../domain/octets.ts';
import type { Pattern } from './pattern.ts';
import { patternBounds } from './pattern-bounds.ts';

/** What one value may still cost, over all patterns that it meets. */
export interface SearchBudget {
  /** Octets in which parts are searched for in full. */
  octets: number;
  /** Beyond these: octets that are skimmed for a part's first octet, and octets that are compared where it is found. */
  skimmed: number;
  compared: number;
}

export function createSearchBudget(): SearchBudget {
  const { octetsSearched, octetsSkimmed, octetsCompared } = patternBounds;
  return { octets: octetsSearched, skimmed: octetsSkimmed, compared: octetsCompared };
}

/**
 * Whether the parts between a pattern's first and last star are in the value, from left to right, each at its first place:
 * no other choice can fit more. True also when the budget is used up, which only a value that was made for it does.
 */
export function searchMiddle(pattern: Pattern<unknown>, value: Octets, budget: SearchBudget): boolean {
  const end = value.length - pattern.suffix.length;
  let from = pattern.prefix.length;
  for (const part of pattern.middle) {
    const at = findPart(value, part, { from, end }, budget);
    if (at === undefined) return true;
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

interface Range {
  readonly from: number;
  readonly end: number;
}

/** Where the part is, -1 when it is not there, undefined when the budget is used up. */
function findPart(
  value: Octets,
  part: Octets,
  { from, end }: Range,
  budget: SearchBudget,
): number | undefined {
  const near = value.slice(from, Math.min(end, from + budget.octets));
  const at = near.indexOf(part);
  if (at >= 0) {
    budget.octets -= at + part.length;
    return from + at;
  }
  budget.octets -= near.length;
  if (from + near.length >= end) return -1;
  return skimFor(value, part, { from: from + Math.max(0, near.length - part.length + 1), end }, budget);
}

/** What it costs to go on to the next place, in octets compared. */
const placeCost = 32;

/** Goes from one place with the part's first octet to the next, which is fast unless there are very many of them. */
function skimFor(
  value: Octets,
  part: Octets,
  { from, end }: Range,
  budget: SearchBudget,
): number | undefined {
  const last = Math.min(end - part.length, from + budget.skimmed);
  const first = part[0] as string;
  let at = value.indexOf(first, from);
  while (at >= 0 && at <= last && budget.compared > 0) {
    if (value.startsWith(part, at)) {
      budget.skimmed -= at - from;
      return at;
    }
    budget.compared -= part.length + placeCost;
    at = value.indexOf(first, at + 1);
  }
  budget.skimmed -= last - from;
  const isSearched = last === end - part.length && (at < 0 || at > last);
  return isSearched ? -1 : undefined;
}
