import type { BadLine } from '../figures/log-figures.ts';
import type { Subject } from '../figures/subject.ts';

/**
 * What a replay showed. This is the shape of `--output json`, which docs/simulate.md describes; fields are added, and never
 * changed without another `version`. Times are RFC 3339 in UTC, shares are 0 to 1, and null is what there is none of.
 */
export interface SimulationReport {
  readonly version: 1;
  readonly log: LogReport;
  readonly settings: SettingsReport;
  /** A, and with `--compare` B. */
  readonly configurations: readonly ConfigurationReport[];
  /** null without `--compare`. */
  readonly comparison: ComparisonReport | null;
}

export interface LogReport {
  readonly from: string | null;
  readonly to: string | null;
  /** Those that are not blank; each is one of the next three. */
  readonly lines: number;
  readonly requests: number;
  readonly linesWithoutRequest: number;
  readonly badLines: number;
  readonly firstBadLines: readonly BadLine[];
  /** Requests whose time lay before that of an earlier line. */
  readonly lateRequests: number;
  readonly mostSecondsLate: number;
}

export interface SettingsReport {
  readonly countDenied: boolean;
  readonly quotaMode: boolean;
  readonly nearLimitRatio: number;
}

export interface ConfigurationReport {
  readonly path: string;
  readonly allowed: number;
  readonly denied: number;
  /** Requests that the service would have refused with an error. */
  readonly failed: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly descriptors: DescriptorsReport;
  /** Counters dropped for want of room before their window ended. */
  readonly evictedCounters: number;
  readonly peak: PeakReport | null;
  readonly timeline: TimelineReport;
  /** Every rule, in the order of the files. */
  readonly rules: readonly RuleReport[];
  /** Limits that requests brought themselves. */
  readonly overrides: FiguresReport | null;
  readonly mostDenied: SubjectsReport;
}

/** Descriptors by where their limit came from. */
export interface DescriptorsReport {
  readonly rule: number;
  readonly override: number;
  readonly unlimited: number;
  readonly replaced: number;
  /** Of requests that carried an exemption. */
  readonly exempt: number;
  /** No rule in a domain that is there. */
  readonly withoutRule: number;
  readonly unknownDomain: number;
}

/** What limits did to the descriptors that they limited. */
export interface FiguresReport {
  readonly allowed: number;
  readonly denied: number;
  /** Those of `allowed` that were over, and passed by shadow mode or since another quota was left. */
  readonly overPassed: number;
  readonly hits: number;
  readonly nearLimitHits: number;
  readonly overLimitHits: number;
  readonly nearLimitShare: number;
  /** The largest part of the limit that any one counter came to. */
  readonly fullestCounter: number;
  readonly peak: PeakReport | null;
  readonly timeline: TimelineReport;
}

export interface RuleReport extends FiguresReport {
  readonly rule: string;
  readonly domain: string;
  /** In words, as `weir explain` says it. */
  readonly limit: string;
  readonly file: string;
  readonly line: number;
}

/** The busiest second: requests of a configuration, hits of a rule. */
export interface PeakReport {
  readonly at: string;
  readonly perSecond: number;
}

/** Numbers in buckets of one length, the first of which begins at `start`; null and none when there was nothing. */
export interface TimelineReport {
  readonly start: string | null;
  readonly bucketSeconds: number;
  readonly allowed: readonly number[];
  readonly denied: readonly number[];
}

/** Who was denied most. */
export interface SubjectsReport {
  /** By how much each number may be too low; 0 says that all are exact. */
  readonly uncertainty: number;
  readonly first: readonly SubjectReport[];
}

export interface SubjectReport {
  /** null for a limit that the request brought. */
  readonly rule: Subject['rule'] | null;
  readonly descriptor: string;
  readonly denied: number;
}

export interface ComparisonReport {
  readonly newlyDenied: number;
  readonly newlyAllowed: number;
  readonly mostNewlyDenied: SubjectsReport;
  /** Rules of either; those of B that A has not stand behind A's. */
  readonly rules: readonly ComparedRule[];
}

/** null where the configuration does not have the rule. */
export interface ComparedRule {
  readonly rule: string;
  readonly a: ComparedFigures | null;
  readonly b: ComparedFigures | null;
  /** B less A; what is not there counts as 0. */
  readonly allowedChange: number;
  readonly deniedChange: number;
}

export interface ComparedFigures {
  readonly limit: string;
  readonly allowed: number;
  readonly denied: number;
}
