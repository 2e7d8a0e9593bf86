import { octetsOf } from '../../domain/octets.ts';
import type { ConfigIssue } from '../issue.ts';
import { compareSpecificity, isPattern, type Pattern, parsePattern } from '../patterns/pattern.ts';
import { lintIssue, type PlacedRule } from './lint-issue.ts';

type PlacedPattern = Pattern<PlacedRule>;

/**
 * Pairs of patterns of one key that are compared. A set that needs more has thousands of patterns that begin alike, and
 * then says so instead of going on.
 */
export const maxComparisons = 200_000;

/** The patterns among rules of one key: those that no value can reach, and those for which their order mattered. */
export function lintPatterns(sameKey: readonly PlacedRule[], issues: ConfigIssue[]): void {
  const patterns = sameKey
    .filter(({ rule }) => isPattern(rule.value))
    .map((placed, order) => parsePattern(octetsOf(placed.rule.value), order, placed));
  if (patterns.length === 0) return;
  lintAfterPatterns(sameKey, patterns, issues);
  const unreachable = lintUnreachable(patterns, issues);
  lintOrder(
    patterns.filter((pattern) => !unreachable.has(pattern)),
    issues,
  );
}

/** A pattern of stars takes every value, the empty one too, and leaves none for networks and the key alone. */
function lintAfterPatterns(
  sameKey: readonly PlacedRule[],
  patterns: readonly PlacedPattern[],
  issues: ConfigIssue[],
): void {
  const all = patterns.find((pattern) => pattern.literals === 0);
  if (all === undefined) return;
  for (const { rule, file } of sameKey) {
    if (rule.value !== '') continue;
    const message = `this rule is never reached: the pattern ${describe(all)} takes every value of '${rule.key}'`;
    issues.push(lintIssue('unreachable-rule', file, rule.at, message));
  }
}

/**
 * A pattern that matches all that another one matches comes after it, unless both have the same literals: then the
 * order of declaration decides. So only patterns that differ in nothing but their stars need a look.
 */
function lintUnreachable(
  patterns: readonly PlacedPattern[],
  issues: ConfigIssue[],
): ReadonlySet<PlacedPattern> {
  const unreachable = new Set<PlacedPattern>();
  const alike = Map.groupBy(patterns, ({ prefix, text }) => `${prefix.length} ${text.replaceAll('*', '')}`);
  for (const group of alike.values()) {
    // As long as one file may be: patterns with equal literals are few, but for a set made to be slow.
    const compared = group.slice(0, Math.sqrt(maxComparisons));
    compared.forEach((pattern, index) => {
      const stars = starPlaces(pattern.text);
      const wider = compared.slice(0, index).find((other) => isSubset(stars, starPlaces(other.text)));
      if (wider === undefined) return;
      unreachable.add(pattern);
      const message = `this rule is never reached: ${describe(wider)} matches the same values and is declared first`;
      issues.push(issueAt('unreachable-rule', pattern, message));
    });
  }
  return unreachable;
}

function isSubset(some: ReadonlySet<number>, all: ReadonlySet<number>): boolean {
  return [...some].every((place) => all.has(place));
}

/** How many literal octets stand before each star. */
function starPlaces(text: string): Set<number> {
  const places = new Set<number>();
  let literals = 0;
  for (const octet of text) {
    if (octet === '*') places.add(literals);
    else literals += 1;
  }
  return places;
}

/**
 * Patterns that win over one declared before them which matches some of the same values: the reference takes the first
 * that is declared. Two patterns overlap exactly if their prefixes fit and their suffixes fit, as there is a star between.
 */
function lintOrder(patterns: readonly PlacedPattern[], issues: ConfigIssue[]): void {
  const before = new Map<string, PlacedPattern[]>();
  const lengths = new Set<number>();
  let comparisons = 0;
  for (const pattern of patterns) {
    for (const length of lengths) {
      if (length > pattern.prefix.length) continue;
      const candidates = before.get(pattern.prefix.slice(0, length)) ?? [];
      comparisons += 1 + candidates.length;
      const beaten = candidates.find((other) => overtakes(pattern, other));
      if (beaten !== undefined) {
        issues.push(issueAt('order-dependent-pattern', pattern, orderMessage(beaten)));
        break;
      }
    }
    if (comparisons > maxComparisons) {
      const message = `too many patterns begin alike: the order of those from here on was not checked`;
      issues.push(issueAt('order-not-checked', pattern, message));
      return;
    }
    lengths.add(pattern.prefix.length);
    const same = before.get(pattern.prefix);
    if (same === undefined) before.set(pattern.prefix, [pattern]);
    else same.push(pattern);
  }
}

function overtakes(later: PlacedPattern, earlier: PlacedPattern): boolean {
  const suffixesFit = later.suffix.endsWith(earlier.suffix) || earlier.suffix.endsWith(later.suffix);
  return suffixesFit && compareSpecificity(later, earlier) < 0;
}

function orderMessage(beaten: PlacedPattern): string {
  return (
    `values that match ${describe(beaten)} too get this rule, which is more specific; ` +
    'the reference takes the one that is declared first'
  );
}

function describe({ target }: PlacedPattern): string {
  return `'${target.rule.value}' (${target.file}, line ${target.rule.at.line})`;
}

function issueAt(code: string, { target }: PlacedPattern, message: string): ConfigIssue {
  return lintIssue(code, target.file, target.rule.at, message);
}
