import type { ConfigIssue } from '../issue.ts';
import { nearestWord } from '../nearest-word.ts';
import { lintIssue, type PlacedRule } from './lint-issue.ts';

/** `replaces` and `name`: names are those of one domain, as a request has one. */
export function lintNames(top: readonly PlacedRule[], issues: ConfigIssue[]): void {
  const limited = [...withLimit(top)];
  const named = Map.groupBy(
    limited.filter(({ rule }) => rule.rateLimit?.name),
    ({ rule }) => rule.rateLimit?.name ?? '',
  );
  const replaced = new Set(limited.flatMap(({ rule }) => rule.rateLimit?.replaces ?? []));
  for (const { rule, file } of limited) {
    for (const name of new Set(rule.rateLimit?.replaces)) {
      if (named.has(name)) continue;
      const near = nearestWord(name, named.keys());
      const hint = near === undefined ? '' : `, did you mean '${near}'?`;
      const at = rule.rateLimit?.at ?? rule.at;
      issues.push(
        lintIssue('dangling-replaces', file, at, `no rule of this domain is named '${name}'${hint}`),
      );
    }
  }
  for (const [name, [first, ...others]] of named) {
    if (first === undefined || !replaced.has(name)) continue;
    for (const { rule, file } of others) {
      const message = `'${name}' is also the name of the rule on line ${first.rule.at.line} of ${first.file}; who replaces it replaces both`;
      issues.push(lintIssue('duplicate-name', file, rule.rateLimit?.at ?? rule.at, message));
    }
  }
}

function* withLimit(placed: readonly PlacedRule[]): Iterable<PlacedRule> {
  const waiting = placed.toReversed();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { rule, file } = one;
    if (rule.rateLimit !== undefined) yield one;
    for (const below of rule.descriptors.toReversed()) waiting.push({ rule: below, file });
  }
}
