import { textOf } from '../../domain/octets.ts';
import type { Rule } from '../../rules/rule.ts';
import { printable } from '../../telemetry/printable.ts';
import type { Peak } from '../figures/busiest-second.ts';
import type { Changes } from '../figures/changes.ts';
import type { LogFigures } from '../figures/log-figures.ts';
import type { MostFrequent } from '../figures/most-frequent.ts';
import type { RuleFigures } from '../figures/rule-figures.ts';
import type { Subject } from '../figures/subject.ts';
import type { Timeline } from '../figures/timeline.ts';
import type { Simulation } from '../simulation.ts';
import { compareRules } from './compare-rules.ts';
import type {
  ConfigurationReport,
  FiguresReport,
  LogReport,
  PeakReport,
  RuleReport,
  SettingsReport,
  SimulationReport,
  SubjectsReport,
  TimelineReport,
} from './report.ts';

/** What a replay left behind. */
export interface Replayed {
  readonly log: LogFigures;
  readonly settings: SettingsReport;
  /** A, and where there is one B. */
  readonly configurations: readonly ReplayedConfiguration[];
  readonly changes: Changes | undefined;
  /** What a rule limits, in words. */
  readonly describe: (rule: Rule) => string;
  /** How many are listed of those who were denied. */
  readonly listed: number;
}

export interface ReplayedConfiguration {
  /** Where its files are. */
  readonly path: string;
  readonly simulation: Simulation;
}

/** Puts the figures of a replay together. */
export function makeReport(replayed: Replayed): SimulationReport {
  const { settings, changes, listed } = replayed;
  const configurations = replayed.configurations.map((one) => configurationReport(one, replayed));
  const [a, b] = configurations;
  const [replayedA, replayedB] = replayed.configurations;
  return {
    version: 1,
    log: logReport(replayed.log),
    settings: {
      countDenied: settings.countDenied,
      quotaMode: settings.quotaMode,
      nearLimitRatio: shorter(settings.nearLimitRatio),
    },
    configurations,
    comparison:
      changes === undefined ||
      a === undefined ||
      b === undefined ||
      replayedA === undefined ||
      replayedB === undefined
        ? null
        : {
            newlyDenied: changes.newlyDenied,
            newlyAllowed: changes.newlyAllowed,
            mostNewlyDenied: subjectsReport(changes.mostNewlyDenied, listed),
            rules: compareRules(
              { rules: replayedA.simulation.rules.rules, reports: a.rules },
              { rules: replayedB.simulation.rules.rules, reports: b.rules },
            ),
          },
  };
}

function logReport(log: LogFigures): LogReport {
  const { period } = log;
  return {
    from: period === undefined ? null : timeText(period.fromMs),
    to: period === undefined ? null : timeText(period.toMs),
    lines: log.lines,
    requests: log.requests,
    linesWithoutRequest: log.passed,
    badLines: log.bad,
    firstBadLines: log.firstBad,
    lateRequests: log.late,
    mostSecondsLate: log.mostLateMs / 1_000,
  };
}

function configurationReport(
  { path, simulation }: ReplayedConfiguration,
  { describe, listed }: Replayed,
): ConfigurationReport {
  const { figures, rules, evictions } = simulation;
  const { timeline, sources, overrides } = figures;
  return {
    path: printable(path),
    allowed: figures.allowed,
    denied: figures.denied,
    failed: figures.failed,
    failures: Object.fromEntries(figures.failures),
    descriptors: {
      rule: sources.rule,
      override: sources.override,
      unlimited: sources.unlimited,
      replaced: sources.replaced,
      exempt: sources.exempt,
      withoutRule: sources.unmatched - figures.unknownDomain,
      unknownDomain: figures.unknownDomain,
    },
    evictedCounters: evictions(),
    peak: peakReport(figures.busiest.peak),
    timeline: timelineReport(timeline, figures.allowedOverTime, figures.deniedOverTime),
    rules: rules.rules.map((rule) => ruleReport(rule, describe(rule), figures.ofRule(rule.id), timeline)),
    overrides: overrides === undefined ? null : figuresReport(overrides, timeline),
    mostDenied: subjectsReport(figures.mostDenied, listed),
  };
}

function ruleReport(
  rule: Rule,
  limit: string,
  figures: RuleFigures | undefined,
  timeline: Timeline,
): RuleReport {
  return {
    rule: printable(rule.path),
    domain: printable(textOf(rule.domain)),
    limit: printable(limit),
    file: printable(rule.file),
    line: rule.at.line,
    ...(figures === undefined ? nothing : figuresReport(figures, timeline)),
  };
}

const nothing: FiguresReport = Object.freeze({
  allowed: 0,
  denied: 0,
  overPassed: 0,
  hits: 0,
  nearLimitHits: 0,
  overLimitHits: 0,
  nearLimitShare: 0,
  fullestCounter: 0,
  peak: null,
  timeline: { start: null, bucketSeconds: 0, allowed: [], denied: [] },
});

function figuresReport(figures: RuleFigures, timeline: Timeline): FiguresReport {
  const { hits, nearLimitHits } = figures;
  return {
    allowed: figures.allowed,
    denied: figures.denied,
    overPassed: figures.overPassed,
    hits,
    nearLimitHits,
    overLimitHits: figures.overLimitHits,
    nearLimitShare: hits === 0 ? 0 : shorter(nearLimitHits / hits),
    fullestCounter: shorter(figures.fullest),
    peak: peakReport(figures.busiest.peak),
    timeline: timelineReport(timeline, figures.allowedOverTime, figures.deniedOverTime),
  };
}

function timelineReport(timeline: Timeline, allowed: Float64Array, denied: Float64Array): TimelineReport {
  const { startMs, bucketSeconds, buckets } = timeline.span;
  if (buckets === 0) return nothing.timeline;
  return {
    start: timeText(startMs),
    bucketSeconds,
    allowed: Array.from(allowed.subarray(0, buckets)),
    denied: Array.from(denied.subarray(0, buckets)),
  };
}

function peakReport(peak: Peak | undefined): PeakReport | null {
  return peak === undefined ? null : { at: timeText(peak.atMs), perSecond: peak.count };
}

function subjectsReport(subjects: MostFrequent<Subject>, listed: number): SubjectsReport {
  const first = subjects.top(listed).map(({ about: { rule = null, descriptor }, count }) => {
    return { rule, descriptor, denied: count };
  });
  return { uncertainty: subjects.uncertainty, first };
}

/** Without the milliseconds where they are none. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Six digits behind the point: what doubles and single precision add behind them says nothing. */
function shorter(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}
