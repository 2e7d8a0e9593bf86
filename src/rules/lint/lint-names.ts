import type { ConfigIssue } from '../issue.ts';
import { nearestWord } from '../nearest-word.ts';
import type { RateLimitDocument } from '../rules-document.ts';
import { lintIssue, type PlacedRule } from './lint-issue.ts';

/** `replaces` and `name`: names are those of one domain, as a request has one. */
export function lintNames(top: readonly PlacedRule[], issues: ConfigIssue[]): void {
  const limited = [...limitsOf(top)];
  const named = Map.groupBy(
    limited.filter(({ limit }) => limit.name),
    ({ limit }) => limit.name,
  );
  const replaced = new Set(limited.flatMap(({ limit }) => limit.replaces));
  for (const { limit, file } of limited) {
    for (const name of new Set(limit.replaces)) {
      if (named.has(name)) continue;
      const near = nearestWord(name, named.keys());
      const hint = near === undefined ? '' : `, did you mean '${near}'?`;
      const message = `no rule of this domain is named '${name}'${hint}`;
      issues.push(lintIssue('dangling-replaces', file, limit.at, message));
    }
  }
  for (const [name, [first, ...others]] of named) {
    if (first === undefined || !replaced.has(name)) continue;
    for (const { rule, limit, file } of others) {
      if (rule === first.rule) continue;
      const message = `'${name}' is also the name of the rule on line ${first.rule.at.line} of ${first.file}; who replaces it replaces both`;
      issues.push(lintIssue('duplicate-name', file, limit.at, message));
    }
  }
}

interface PlacedLimit extends PlacedRule {
  readonly limit: RateLimitDocument;
}

function* limitsOf(placed: readonly PlacedRule[]): Iterable<PlacedLimit> {
  const waiting = placed.toReversed();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { rule, file } = one;
    for (const limit of rule.rateLimits) yield { rule, file, limit };
    for (const below of rule.descriptors.toReversed()) waiting.push({ rule: below, file });
  }
}
