import { listText } from '../domain/limit-text.ts';
import type { ConfigIssue } from './issue.ts';
import { placeName, placeWithin } from './place-name.ts';
import type { RateLimitDocument, RuleDocument, RulesDocument } from './rules-document.ts';
import type { Steps } from './steps.ts';

/** A rule and where it was declared. */
export interface PlacedRule {
  readonly document: RuleDocument;
  readonly file: string;
}

/** Rules that are only put in their places between two steps. */
export const placedInStep = 2_000;

/** The first level of a domain. */
export function* placeAll(documents: readonly RulesDocument[]): Steps<readonly PlacedRule[]> {
  const placed: PlacedRule[] = [];
  for (const { file, descriptors } of documents) {
    for (const document of descriptors) {
      placed.push({ document, file });
      if (placed.length % placedInStep === 0) yield;
    }
  }
  return placed;
}

export function declaredTwice(second: PlacedRule, first: PlacedRule): ConfigIssue {
  const { key, value } = second.document;
  const rule = value === '' ? `key '${key}'` : `key '${key}' with value '${value}'`;
  const message = `${rule} is declared a second time, first ${placeOf(first, second)}; for several limits write one rule with ${listOf(first, second)}`;
  return duplicate(second, message);
}

export function networkDeclaredTwice(cidr: string, second: PlacedRule, first: PlacedRule): ConfigIssue {
  const message = `network ${cidr} of key '${second.document.key}' is also that of the rule ${placeOf(first, second)}; an address is in one smallest network`;
  return duplicate(second, message);
}

/** As it is named in an issue of `other`. */
function placeOf({ file, document }: PlacedRule, other: PlacedRule): string {
  return file === other.file ? placeWithin(document.at) : `in ${placeName(file, document.at)}`;
}

function duplicate({ file, document }: PlacedRule, message: string): ConfigIssue {
  return { severity: 'error', code: 'duplicate-rule', file, ...document.at, message };
}

/** The list form of what both say, where it is as short as that. */
function listOf(...rules: readonly PlacedRule[]): string {
  const limits = rules.flatMap(({ document }) => document.rateLimits.map(shortLimit));
  const isShort = limits.length === 2 && limits.every((limit) => limit !== undefined);
  return isShort ? `'rate_limits: [${limits.join(', ')}]'` : "a list under 'rate_limits'";
}

/** undefined for a limit that has more to it. */
function shortLimit({ limit, algorithm, name, warnAt }: RateLimitDocument): string | undefined {
  const isPlain = algorithm.kind === 'fixed_window' && name === '' && warnAt.length === 0;
  if (limit === 'unlimited' || !isPlain) return undefined;
  return listText(limit);
}
