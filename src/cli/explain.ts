import { existsSync } from 'node:fs';
import { octetsOf, textOf } from '../domain/octets.ts';
import { type Attempt, type Explanation, explainMatch } from '../rules/explain.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { CommandContext } from './command-context.ts';
import { parseDescriptor } from './descriptor-argument.ts';
import { exitCodes } from './exit-codes.ts';
import { loadRules, printIssue } from './load-rules.ts';
import type { Output } from './output.ts';
import { printSettingIssues } from './print-setting-issues.ts';

export interface ExplainOptions {
  readonly domain: string;
  /** undefined: where `serve` would read. */
  readonly config?: string;
  readonly mergeDomains?: boolean;
}

/** `weir explain`: the way of each descriptor through the rules. */
export async function explain(
  descriptors: readonly string[],
  options: ExplainOptions,
  { env, output }: CommandContext,
): Promise<number> {
  const read = readSettings(env);
  if ('errors' in read) return printSettingIssues(read.errors, output);
  const { config } = read.settings;
  const path = options.config ?? config.directory;
  if (!existsSync(path)) {
    output.err(`weir explain: there is no ${path}; name a directory of rules with --config`);
    return exitCodes.broken;
  }
  const mergeDomains = options.mergeDomains ?? config.mergeDomains;
  const loaded = await loadRules(path, { ignoreDotFiles: config.ignoreDotFiles, mergeDomains });
  for (const issue of loaded.issues) if (issue.severity === 'error') output.err(printIssue(issue));
  if (loaded.ruleSet === undefined) return exitCodes.broken;
  const rules = descriptors.map((text) =>
    explainOne(text, options.domain, loaded.ruleSet as RuleSet, output),
  );
  return rules.every((rule) => rule !== undefined) ? exitCodes.ok : exitCodes.no;
}

function explainOne(text: string, domain: string, rules: RuleSet, output: Output): Rule | undefined {
  const explanation = explainMatch(rules, octetsOf(domain), parseDescriptor(text));
  output.out(`${domain}: ${text}`);
  printSteps(explanation, output);
  output.out(`  => ${explanation.summary}`);
  const { rule } = explanation;
  if (rule !== undefined) output.out(`     ${describeRule(rule)}`);
  return rule;
}

function printSteps({ steps }: Explanation, output: Output): void {
  for (const [index, { entry, attempts }] of steps.entries()) {
    output.out(`  ${index + 1}. ${textOf(entry.key)}=${textOf(entry.value)}`);
    for (const attempt of attempts) output.out(`     ${describeAttempt(attempt)}`);
  }
}

function describeAttempt({ how, text, matched }: Attempt): string {
  return `${matched ? 'yes' : ' no'}  ${how.padEnd(11)}  ${text}`;
}

function describeRule(rule: Rule): string {
  const { limit } = rule;
  if (limit === 'unlimited') return 'unlimited';
  const window = limit.unit?.toLowerCase() ?? `${limit.windowSeconds} s`;
  const marks = [
    rule.name !== '' && `name "${rule.name}"`,
    rule.replaces.length > 0 && `replaces ${rule.replaces.join(', ')}`,
    rule.shadowMode && 'shadow mode',
    rule.quotaMode && 'quota mode',
    rule.levels.some((level) => level.shareThreshold) && 'one counter for all values of the pattern',
  ].filter((mark) => mark !== false);
  return [`${limit.requestsPerUnit} per ${window}`, ...marks].join(', ');
}
