import type { ConfigIssue } from '../issue.ts';
import { isPattern } from '../patterns/pattern.ts';
import type { Position, RuleDocument, RulesDocument } from '../rules-document.ts';
import { lintIssue, type PlacedRule } from './lint-issue.ts';
import { lintNames } from './lint-names.ts';
import { lintPatterns } from './lint-patterns.ts';

/**
 * What is legal in sound documents, and probably not meant. All documents of a load together, as names and patterns go
 * across the files of a domain. Work grows with the number of rules; comparing patterns is bounded (`lint-patterns.ts`).
 */
export function lintRules(documents: readonly RulesDocument[]): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  lintDomains(documents, issues);
  for (const sharing of groupBy(documents, (document) => document.domain)) {
    const top = sharing.flatMap(({ file, descriptors }) => descriptors.map((rule) => ({ rule, file })));
    lintNames(top, issues);
    lintLevel(top, issues);
  }
  return issues.sort(byPlace(documents));
}

/** In the order of the documents, then of the text. */
function byPlace(documents: readonly RulesDocument[]): (a: ConfigIssue, b: ConfigIssue) => number {
  const order = new Map(documents.map(({ file }, index) => [file, index]));
  const rank = ({ file }: ConfigIssue) => order.get(file) ?? 0;
  return (a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column;
}

/** Groups in the order of their first elements. */
function groupBy<T>(elements: readonly T[], keyOf: (element: T) => string): Iterable<readonly T[]> {
  return Map.groupBy(elements, keyOf).values();
}

/** Domains are compared octet by octet, and a request for an unknown one is let through. */
function lintDomains(documents: readonly RulesDocument[], issues: ConfigIssue[]): void {
  for (const alike of groupBy(documents, ({ domain }) => domain.trim().toLowerCase())) {
    const [first, ...others] = alike as [RulesDocument, ...RulesDocument[]];
    for (const { domain, file, at } of others) {
      if (domain === first.domain) continue;
      const message = `domain '${domain}' is almost '${first.domain}' of ${first.file}, and another domain`;
      issues.push(lintIssue('similar-domain', file, at, message));
    }
  }
  for (const { domain, file, at } of documents) {
    if (domain !== domain.trim()) issues.push(surroundingSpace('domain', file, at));
  }
}

function lintLevel(placed: readonly PlacedRule[], issues: ConfigIssue[]): void {
  for (const sameKey of groupBy(placed, ({ rule }) => rule.key)) {
    lintPatterns(sameKey, issues);
    for (const one of sameKey) lintRule(one, sameKey, issues);
  }
}

function lintRule({ rule, file }: PlacedRule, sameKey: readonly PlacedRule[], issues: ConfigIssue[]): void {
  const add = (code: string, message: string) => issues.push(lintIssue(code, file, rule.at, message));
  if (rule.key !== rule.key.trim()) issues.push(surroundingSpace('key', file, rule.at));
  if (rule.value !== rule.value.trim()) issues.push(surroundingSpace('value', file, rule.at));
  if (isPattern(rule.key)) {
    add(
      'star-in-key',
      `the star in the key '${rule.key}' is that character; stars are patterns in values only`,
    );
  }
  if (rule.rateLimits.length === 0) {
    const unused = fieldsThatNeedLimit(rule);
    if (unused.length > 0) {
      add(
        'without-limit',
        `without a rate_limit in the same rule, ${unused.join(' and ')} has no effect; rules below do not inherit it`,
      );
    }
    if (rule.descriptors.length === 0 && !isExemption(rule, sameKey)) {
      add('rule-without-effect', 'this rule has neither a rate_limit nor rules below it');
    }
  }
  lintLevel(
    rule.descriptors.map((below) => ({ rule: below, file })),
    issues,
  );
}

function fieldsThatNeedLimit(rule: RuleDocument): readonly string[] {
  return [
    rule.shadowMode ? 'shadow_mode' : '',
    rule.quotaMode ? 'quota_mode' : '',
    rule.metadata !== undefined ? 'metadata' : '',
  ].filter((name) => name !== '');
}

/** A value, or networks, without a limit takes it out of a limit that a pattern, networks, or the key alone has. */
function isExemption(rule: RuleDocument, sameKey: readonly PlacedRule[]): boolean {
  if (rule.value === '' && rule.cidrs.length === 0) return false;
  return sameKey.some(
    (other) => other.rule !== rule && (other.rule.value === '' || isPattern(other.rule.value)),
  );
}

function surroundingSpace(what: string, file: string, at: Position): ConfigIssue {
  const message = `this ${what} begins or ends with white space, and is compared with it; a block after '|' ends with a line end`;
  return lintIssue('surrounding-space', file, at, message);
}
