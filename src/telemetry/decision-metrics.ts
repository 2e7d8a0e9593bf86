import type { Registry } from 'prom-client';
import type { Code, FailureCode } from '../domain/decision.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { DecisionEvent, DescriptorOutcome, LimitSource } from '../limiter/decision-event.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { ExemptRequests } from './exempt-requests.ts';
import { registerFamily, sampleOf, samplesOf } from './metric-family.ts';
import { RuleSeriesIndex } from './rule-series.ts';
import { HitCounts, type Series, statistics } from './series.ts';
import { SeriesTable } from './series-table.ts';
import { seriesText } from './series-text.ts';

export interface DecisionMetricsOptions {
  /** Largest number of label sets of rules, those of values included. */
  readonly maxSeries: number;
  /** Largest number of values that one rule shows in its labels (`detailed_metric`, `value_to_metric`). */
  readonly maxValuesPerRule: number;
  /** How many levels of a rule tell its series from others'; those that labels show unless given. */
  readonly seriesDepth?: number | undefined;
}

/** What decisions add up to. All numbers that do not depend on rules are there from the start, as 0. */
export class DecisionMetrics {
  readonly #table: SeriesTable;
  readonly #ruleSeries: RuleSeriesIndex;
  readonly #overrides = new HitCounts();
  readonly #codes: Record<Code, number> = { OK: 0, OVER_LIMIT: 0 };
  readonly #failures: Record<FailureCode, number> = {
    INVALID_ARGUMENT: 0,
    PERMISSION_DENIED: 0,
    UNAVAILABLE: 0,
    DEADLINE_EXCEEDED: 0,
    RESOURCE_EXHAUSTED: 0,
  };
  readonly #errors = { redis_error: 0, service_error: 0 };
  readonly #sources: Record<LimitSource, number> = {
    rule: 0,
    override: 0,
    unlimited: 0,
    replaced: 0,
    exempt: 0,
    unmatched: 0,
  };
  readonly #unmatched = { unknown_domain: 0, no_rule: 0 };
  readonly #policies: Record<FailurePolicy, number> = { deny: 0, error: 0, local: 0, allow: 0 };
  readonly #exempt = new ExemptRequests();
  #shadowed = 0;
  #late = 0;
  #inOverflowSeries = 0;

  constructor(registry: Registry, { maxSeries, maxValuesPerRule, seriesDepth }: DecisionMetricsOptions) {
    this.#table = new SeriesTable(maxSeries, seriesDepth);
    this.#ruleSeries = new RuleSeriesIndex(this.#table, maxValuesPerRule);
    this.#registerTotals(registry);
  }

  /** Adds one request. Called for every one of them: nothing here makes text or garbage. */
  add(event: DecisionEvent): void {
    const { answer } = event;
    if (event.isLate) this.#late += 1;
    if (event.policy !== undefined) this.#policies[event.policy] += 1;
    if (answer.kind === 'decision') {
      this.#codes[answer.overallCode] += 1;
      if (event.shadowed) this.#shadowed += 1;
    } else {
      this.#failures[answer.code] += 1;
      this.#errors[event.storeErrors.length > 0 ? 'redis_error' : 'service_error'] += 1;
    }
    if (event.outcomes[0]?.source === 'exempt') this.#exempt.add(event.request.domain);
    for (const outcome of event.outcomes) this.#addOutcome(event, outcome);
  }

  /** A message that could not be decoded, and so became no request. */
  addRefusal(code: FailureCode): void {
    this.#failures[code] += 1;
    this.#errors.service_error += 1;
  }

  /** The families of rules; the others are in the registry. */
  seriesText(): string {
    return seriesText(this.#table.byLabels());
  }

  /** Each with its own labels, those below the labels of the page included. */
  series(): Iterable<Series> {
    return this.#table.all();
  }

  rulesApplied(rules: RuleSet | undefined): void {
    this.#table.rulesApplied(rules);
    this.#exempt.rulesApplied(rules);
  }

  #addOutcome(event: DecisionEvent, outcome: DescriptorOutcome): void {
    this.#sources[outcome.source] += 1;
    if (outcome.source === 'rule') {
      // A look counts nothing, and makes no series.
      if (outcome.hits === 0) return;
      const series = this.#ruleSeries.of(event, outcome);
      series.counts.add(outcome);
      if (series.isOverflow) this.#inOverflowSeries += 1;
    } else if (outcome.source === 'override') {
      this.#overrides.add(outcome);
    } else if (outcome.source === 'unmatched') {
      this.#unmatched[event.domainKnown ? 'no_rule' : 'unknown_domain'] += 1;
    }
  }

  #registerTotals(registry: Registry): void {
    registerFamily(registry, {
      name: 'ratelimit_service_should_rate_limit_error',
      help: 'Requests without a decision: redis_error when the store is the cause, else service_error.',
      type: 'counter',
      read: () => samplesOf('err_type', this.#errors),
    });
    registerFamily(registry, {
      name: 'ratelimit_service_global_shadow_mode',
      help: 'Requests that global shadow mode let pass although they were over a limit.',
      type: 'counter',
      read: () => sampleOf(this.#shadowed),
    });
    registerFamily(registry, {
      name: 'weir_decisions_total',
      help: 'Requests with a decision, by the overall code of the answer.',
      type: 'counter',
      read: () => samplesOf('code', this.#codes),
    });
    registerFamily(registry, {
      name: 'weir_failures_total',
      help: 'Requests without a decision, by the code of the error.',
      type: 'counter',
      read: () => samplesOf('code', this.#failures),
    });
    registerFamily(registry, {
      name: 'weir_degraded_decisions_total',
      help: 'Requests that a failure policy decided, since counters could not be reached; error: there was no decision.',
      type: 'counter',
      read: () => samplesOf('policy', this.#policies),
    });
    registerFamily(registry, {
      name: 'weir_late_answers_total',
      help: 'Answers that were ready only after the deadline of their caller, who had gone by then.',
      type: 'counter',
      read: () => sampleOf(this.#late),
    });
    this.#registerDescriptorTotals(registry);
  }

  #registerDescriptorTotals(registry: Registry): void {
    registerFamily(registry, {
      name: 'weir_descriptors_total',
      help: 'Descriptors, by where their limit came from.',
      type: 'counter',
      read: () => samplesOf('source', this.#sources),
    });
    registerFamily(registry, {
      name: 'weir_unmatched_total',
      help: 'Descriptors that no rule limits: unknown_domain, or no_rule in a known one. The log has samples.',
      type: 'counter',
      read: () => samplesOf('reason', this.#unmatched),
    });
    registerFamily(registry, {
      name: 'weir_exempt_requests_total',
      help: 'Requests that an exemption let pass without a look at limits, by domain.',
      type: 'counter',
      read: () => this.#exempt.samples(),
    });
    registerFamily(registry, {
      name: 'weir_override_hits_total',
      help: 'Hits on limits that requests brought themselves, by statistic; named as the families of rules.',
      type: 'counter',
      read: () => statistics.map((stat) => ({ labels: { stat }, value: this.#overrides[stat] })),
    });
    registerFamily(registry, {
      name: 'weir_metrics_overflow_total',
      help: 'Descriptors counted under (other), as the number of series is bounded.',
      type: 'counter',
      read: () => sampleOf(this.#inOverflowSeries),
    });
  }
}
