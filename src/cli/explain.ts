import { existsSync } from 'node:fs';
import type { Descriptor } from '../domain/descriptor.ts';
import { octetsOf, textOf } from '../domain/octets.ts';
import { explainExemption } from '../rules/exemptions/exemptions.ts';
import { type Explanation, explainMatch } from '../rules/explain.ts';
import { findReplaced } from '../rules/replaces.ts';
import type { Rule } from '../rules/rule.ts';
import type { DomainRules, RuleSet } from '../rules/rule-set.ts';
import { readRulesSettings } from '../settings/read-group.ts';
import type { CommandContext } from './command-context.ts';
import { describeAttempt, describeReplaced, describeRule } from './describe-rule.ts';
import { parseDescriptor } from './descriptor-argument.ts';
import { exitCodes } from './exit-codes.ts';
import { type LoadedRules, loadRules, printIssue } from './load-rules.ts';
import type { Output } from './output.ts';
import { printSettingIssues } from './print-setting-issues.ts';

export interface ExplainOptions {
  readonly domain: string;
  /** undefined: where `serve` would read. */
  readonly config?: string;
  readonly mergeDomains?: boolean;
}

/** `weir explain`: the way of each descriptor of a request through the rules. */
export async function explain(
  descriptors: readonly string[],
  options: ExplainOptions,
  { env, output }: CommandContext,
): Promise<number> {
  const read = readRulesSettings(env);
  if ('errors' in read) return printSettingIssues(read, output);
  const { settings } = read;
  const path = options.config ?? settings.directory;
  if (!existsSync(path)) {
    output.err(`weir explain: there is no ${path}; name a directory of rules with --config`);
    return exitCodes.broken;
  }
  const mergeDomains = options.mergeDomains ?? settings.mergeDomains;
  const loaded = await loadRules(path, { ...settings, mergeDomains });
  for (const issue of loaded.issues) if (issue.severity === 'error') output.err(printIssue(issue));
  const refused = refusal(options.domain, loaded);
  if (refused !== undefined) output.err(`weir explain: ${refused}`);
  if (refused !== undefined || loaded.ruleSet === undefined) return exitCodes.broken;
  return explainRequest(descriptors, options.domain, loaded.ruleSet, output);
}

/** Why the rules of a domain cannot be told although there may be some; undefined where nothing is in the way. */
function refusal(domain: string, { ruleSet, documents, issues }: LoadedRules): string | undefined {
  if (ruleSet?.domains.has(octetsOf(domain)) === true) return undefined;
  const declaring = documents.filter((document) => document.domain === domain).map(({ file }) => file);
  if (declaring.length > 0) return `the rules for domain '${domain}' are refused: ${declaring.join(', ')}`;
  const refused = new Set(issues.filter(({ severity }) => severity === 'error').map(({ file }) => file));
  if (refused.size === 0) return undefined;
  // Of a file that does not parse it is not known which domain it has.
  return `domain '${domain}' is in no usable file, and may be in what is refused: ${[...refused].join(', ')}`;
}

/** The descriptors are one request's: a rule may replace the one of another. */
function explainRequest(
  descriptors: readonly string[],
  domain: string,
  rules: RuleSet,
  output: Output,
): number {
  const parsed = descriptors.map((text) => parseDescriptor(text));
  const explanations = parsed.map((one) => explainMatch(rules, octetsOf(domain), one));
  const matches = explanations.map(({ rule }) => rule);
  const replaced = findReplaced(matches);
  for (const [index, explanation] of explanations.entries()) {
    output.out(`${domain}: ${descriptors[index]}`);
    printExplanation(explanation, output);
    if (replaced?.[index] === true) output.out(`     ${describeReplaced(matches[index] as Rule, matches)}`);
  }
  const exemption = findExemption(parsed, rules.domains.get(octetsOf(domain)));
  if (exemption !== undefined) {
    output.out(`exempt: ${exemption}, so the request passes as a whole and is counted nowhere`);
  }
  const hasAllRules = matches.every((rule) => rule !== undefined);
  return exemption !== undefined || hasAllRules ? exitCodes.ok : exitCodes.no;
}

function findExemption(
  descriptors: readonly Descriptor[],
  domain: DomainRules | undefined,
): string | undefined {
  const exemptions = domain?.exemptions;
  if (exemptions === undefined) return undefined;
  const entries = descriptors.flatMap((descriptor) => descriptor.entries);
  return entries.map((entry) => explainExemption(exemptions, entry)).find((why) => why !== undefined);
}

function printExplanation({ steps, summary, rule }: Explanation, output: Output): void {
  for (const [index, { entry, attempts }] of steps.entries()) {
    output.out(`  ${index + 1}. ${textOf(entry.key)}=${textOf(entry.value)}`);
    for (const attempt of attempts) output.out(`     ${describeAttempt(attempt)}`);
  }
  output.out(`  => ${summary}`);
  if (rule !== undefined) output.out(`     ${describeRule(rule)}`);
}
