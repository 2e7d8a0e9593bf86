import type { Registry } from 'prom-client';
import type { ApplyResult } from '../config/config-source.ts';
import type { ConfigIssue, IssueSeverity } from '../rules/issue.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { Labelled } from './labelled.ts';
import { registerFamily, sampleOf, samplesOf } from './metric-family.ts';

/** A configuration that was looked at; one that equals the last is no load. */
export interface ConfigLoadRecord {
  readonly result: Exclude<ApplyResult, { kind: 'unchanged' }>;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** Of all sources, where there are several; those of `result` unless given. */
  readonly issues?: readonly ConfigIssue[];
}

/** Files with errors that are named; more share a series. */
const maxFiles = 100;

/** How loading went, and what is in force. */
export class ConfigMetrics {
  #successes = 0;
  #errors = 0;
  #lastLoadOk = 0;
  #lastLoadAt = 0;
  #appliedAt = 0;
  #issues: readonly ConfigIssue[] = [];
  #rules: RuleSet | undefined;

  constructor(registry: Registry) {
    this.#registerLoads(registry);
    this.#registerRules(registry);
  }

  /** @param rules what is in force after the load */
  add({ result, at, issues = result.issues }: ConfigLoadRecord, rules: RuleSet | undefined): void {
    const isApplied = result.kind === 'applied';
    const hasErrors = issues.some(({ severity }) => severity === 'error');
    if (isApplied) this.#successes += 1;
    // The reference refuses a whole load for one bad file; who watches its counter wants to know of that file here too.
    if (!isApplied || hasErrors) this.#errors += 1;
    this.#lastLoadOk = isApplied && !hasErrors ? 1 : 0;
    this.#lastLoadAt = at;
    if (isApplied) this.#appliedAt = at;
    this.#issues = issues;
    this.#rules = rules;
  }

  #registerLoads(registry: Registry): void {
    registerFamily(registry, {
      name: 'ratelimit_service_config_load_success',
      help: 'Loads after which new rules are in force, those with a refused part included.',
      type: 'counter',
      read: () => sampleOf(this.#successes),
    });
    registerFamily(registry, {
      name: 'ratelimit_service_config_load_error',
      help: 'Loads of which something was refused, or all.',
      type: 'counter',
      read: () => sampleOf(this.#errors),
    });
    registerFamily(registry, {
      name: 'weir_config_last_load_ok',
      help: '1 if nothing of the last load was refused; 0 before the first.',
      type: 'gauge',
      read: () => sampleOf(this.#lastLoadOk),
    });
    registerFamily(registry, {
      name: 'weir_config_last_load_timestamp_seconds',
      help: 'When a configuration was last looked at, in seconds since the Unix epoch; 0 before the first.',
      type: 'gauge',
      read: () => sampleOf(this.#lastLoadAt / 1_000),
    });
    registerFamily(registry, {
      name: 'weir_config_applied_timestamp_seconds',
      help: 'Since when the present rules are in force, in seconds since the Unix epoch; 0 before the first.',
      type: 'gauge',
      read: () => sampleOf(this.#appliedAt / 1_000),
    });
  }

  #registerRules(registry: Registry): void {
    registerFamily(registry, {
      name: 'weir_config_info',
      help: 'Version of the rules in force, as its label; always 1.',
      type: 'gauge',
      read: () => (this.#rules === undefined ? [] : samplesOf('version', { [this.#rules.version]: 1 })),
    });
    registerFamily(registry, {
      name: 'weir_config_domains',
      help: 'Domains in force.',
      type: 'gauge',
      read: () => sampleOf(this.#rules?.domains.size ?? 0),
    });
    registerFamily(registry, {
      name: 'weir_config_rules',
      help: 'Rules in force.',
      type: 'gauge',
      read: () => sampleOf(this.#rules?.rules.length ?? 0),
    });
    registerFamily(registry, {
      name: 'weir_config_issues',
      help: 'Problems that the last load found, by severity: error (refused), ignored (without effect), lint.',
      type: 'gauge',
      read: () => samplesOf('severity', issuesBySeverity(this.#issues)),
    });
    registerFamily(registry, {
      name: 'weir_config_file_errors',
      help: 'Errors that the last load found, by file; files without any are left out.',
      type: 'gauge',
      read: () => samplesOf('file', errorsByFile(this.#issues)),
    });
  }
}

function issuesBySeverity(issues: readonly ConfigIssue[]): Record<IssueSeverity, number> {
  const numbers = { error: 0, ignored: 0, lint: 0 };
  for (const { severity } of issues) numbers[severity] += 1;
  return numbers;
}

function errorsByFile(issues: readonly ConfigIssue[]): Record<string, number> {
  const files = new Labelled(maxFiles, () => ({ errors: 0 }));
  for (const { severity, file } of issues) {
    if (severity === 'error') files.of(file).errors += 1;
  }
  return Object.fromEntries([...files.entries()].map(([file, { errors }]) => [file, errors]));
}
