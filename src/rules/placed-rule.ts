import type { ConfigIssue } from './issue.ts';
import { placeName, placeWithin } from './place-name.ts';
import type { RuleDocument, RulesDocument } from './rules-document.ts';
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
  const { key, value, at } = second.document;
  const rule = value === '' ? `key '${key}'` : `key '${key}' with value '${value}'`;
  const where =
    first.file === second.file
      ? placeWithin(first.document.at)
      : `in ${placeName(first.file, first.document.at)}`;
  return {
    severity: 'error',
    code: 'duplicate-rule',
    file: second.file,
    ...at,
    message: `${rule} is declared a second time, first ${where}; one limit per descriptor is supported`,
  };
}
