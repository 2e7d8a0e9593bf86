import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { DecisionListener } from '../limiter/decision-event.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { readDecisionSettings, readRulesSettings } from '../settings/read-group.ts';
import type { RulesSettings } from '../settings/settings.ts';
import { Changes } from '../simulate/figures/changes.ts';
import { LogFigures } from '../simulate/figures/log-figures.ts';
import type { ReadLine } from '../simulate/log/log-line.ts';
import { LogUnreadable, type OpenLog, openLog } from '../simulate/log/open-log.ts';
import { replay } from '../simulate/replay.ts';
import { makeReport, type ReplayedConfiguration } from '../simulate/report/make-report.ts';
import type { SimulationReport } from '../simulate/report/report.ts';
import { createSimulation, type SimulationOptions } from '../simulate/simulation.ts';
import { createVirtualClock } from '../simulate/virtual-clock.ts';
import type { CommandContext } from './command-context.ts';
import { describeRule } from './describe-rule.ts';
import { exitCodes } from './exit-codes.ts';
import { loadRules, printIssue } from './load-rules.ts';
import type { Output } from './output.ts';
import { printSettingIssues } from './print-setting-issues.ts';
import { createProgressBar } from './progress-bar.ts';
import type { ReportForm } from './report-forms.ts';
import { lineReader } from './simulate-lines.ts';
import { reportText } from './simulate-report.ts';

export interface SimulateOptions {
  /** undefined: where `serve` would read. */
  readonly config?: string;
  readonly compare?: string;
  /** `-`: standard input. */
  readonly log: string;
  readonly format: 'jsonl' | 'envoy';
  readonly mapping?: string;
  readonly output: ReportForm;
  /** undefined: to standard output. */
  readonly out?: string;
  /** These three as the environment says, where they are undefined. */
  readonly countDenied?: boolean;
  readonly quotaMode?: boolean;
  readonly near?: number;
  readonly top: number;
  readonly maxCounters: number;
  readonly mergeDomains?: boolean;
}

/** `weir simulate`: what rules would have done to the requests of a log. */
export async function simulate(options: SimulateOptions, { env, output }: CommandContext): Promise<number> {
  const config = readRulesSettings(env);
  if ('errors' in config) return printSettingIssues(config, output);
  const decisions = readDecisionSettings(env);
  if ('errors' in decisions) return printSettingIssues(decisions, output);
  const { settings } = config;
  const readLine = await lineReader(options, output);
  if (readLine === undefined) return exitCodes.broken;
  const paths = [options.config ?? settings.directory, options.compare].filter((path) => path !== undefined);
  const mergeDomains = options.mergeDomains ?? settings.mergeDomains;
  const ruleSets = await loadAll(paths, { ...settings, mergeDomains }, output);
  if (ruleSets === undefined) return exitCodes.broken;
  const { countDenied, quotaMode, nearLimitRatio, bounds } = decisions.settings;
  const { maxCounters } = options;
  const simulated: SimulationOptions = {
    countDenied: options.countDenied ?? countDenied,
    quotaMode: options.quotaMode ?? quotaMode,
    nearLimitRatio: options.near ?? nearLimitRatio,
    bounds,
    maxCounters,
  };
  try {
    const log = await openLog(options.log);
    const report = await replayLog(log, { readLine, paths, ruleSets, simulated, listed: options.top });
    await write(reportText(report, options.output), options.out, output);
    return report.log.requests > 0 ? exitCodes.ok : exitCodes.no;
  } catch (error) {
    if (!(error instanceof LogUnreadable || error instanceof CannotWrite)) throw error;
    output.err(`weir simulate: ${error.message}`);
    return exitCodes.broken;
  }
}

/** Rules that the server would not take in whole are not what would be in force, so figures of them would mislead. */
async function loadAll(
  paths: readonly string[],
  settings: RulesSettings,
  output: Output,
): Promise<readonly RuleSet[] | undefined> {
  // Hashes of sensitive values are shown. Of a secret that nobody knows nothing can be tried out.
  const hashSecret = randomBytes(32);
  const ruleSets: RuleSet[] = [];
  for (const path of paths) {
    if (!existsSync(path)) {
      output.err(`weir simulate: there is no ${path}; name a directory of rules with --config`);
      return undefined;
    }
    const { ruleSet, issues } = await loadRules(path, settings, hashSecret);
    const errors = issues.filter(({ severity }) => severity === 'error');
    for (const issue of errors) output.err(printIssue(issue));
    if (ruleSet === undefined || errors.length > 0) {
      output.err(`weir simulate: some of ${path} is refused, so nothing was replayed`);
      return undefined;
    }
    ruleSets.push(ruleSet);
  }
  return ruleSets;
}

interface ReplayParts {
  readonly readLine: ReadLine;
  readonly paths: readonly string[];
  readonly ruleSets: readonly RuleSet[];
  readonly simulated: SimulationOptions;
  readonly listed: number;
}

async function replayLog(opened: OpenLog, parts: ReplayParts): Promise<SimulationReport> {
  const { readLine, paths, simulated, listed } = parts;
  const clock = createVirtualClock();
  const log = new LogFigures(clock);
  const changes = paths.length > 1 ? new Changes() : undefined;
  const configurations = parts.ruleSets.map((rules, index): ReplayedConfiguration => {
    const listeners: DecisionListener[] = [];
    if (changes !== undefined) {
      listeners.push(index === 0 ? (event) => changes.addA(event) : (event) => changes.addB(event));
    }
    return { path: paths[index] as string, simulation: createSimulation(rules, clock, simulated, listeners) };
  });
  const bar = createProgressBar(process.stderr);
  const onProgress = () =>
    bar.show({ octetsRead: opened.octetsRead(), octets: opened.octets, requests: log.requests });
  try {
    const simulations = configurations.map(({ simulation }) => simulation);
    await replay(opened.pieces, { readLine, clock, log, simulations, onProgress });
  } finally {
    bar.clear();
  }
  return makeReport({ log, settings: simulated, configurations, changes, describe: describeRule, listed });
}

/** The report could not be written. The message is a sentence. */
class CannotWrite extends Error {}

async function write(text: string, path: string | undefined, output: Output): Promise<void> {
  if (path === undefined) {
    output.out(text);
    return;
  }
  try {
    await writeFile(path, `${text}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CannotWrite(`${path} cannot be written (${code})`, { cause: error });
  }
}
