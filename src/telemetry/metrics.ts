import { Registry } from 'prom-client';
import type { CounterChange } from '../domain/counter-report.ts';
import type { FailureCode } from '../domain/decision.ts';
import type { DecisionListener } from '../limiter/decision-event.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { RedisStoreListener } from '../store/redis/store-event.ts';
import { CallMetrics, type CallRecord } from './call-metrics.ts';
import { type ConfigLoadRecord, ConfigMetrics } from './config-metrics.ts';
import { CounterMetrics } from './counter-metrics.ts';
import { DecisionMetrics } from './decision-metrics.ts';
import { type HttpListenerName, HttpMetrics } from './http-metrics.ts';
import { MemoryStoreMetrics } from './memory-store-metrics.ts';
import { registerFamily, type Sample, sampleOf, samplesOf } from './metric-family.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { RuleLimits } from './rule-limits.ts';
import type { Series } from './series.ts';
import { SourceMetrics, type SourceRecord } from './source-metrics.ts';
import { StoreMetrics } from './store-metrics.ts';
import { TransportMetrics, type TransportRecord } from './transport-metrics.ts';

export interface MetricsOptions {
  /** Largest number of label sets of rules; beyond it their numbers go under `(other)`. 10,000 unless given. */
  readonly maxSeries?: number;
  /** Largest number of values in the labels of one rule. 1,000 unless given. */
  readonly maxValuesPerRule?: number;
  /** Of the response time; its name and its buckets are the same for both, as in the reference. Seconds unless given. */
  readonly responseTimeUnit?: 'seconds' | 'milliseconds';
  /** Limits are counted in this process although nobody asked for that, so that each replica counts alone. */
  readonly storeIsLocalByDefault?: boolean;
  /** `process_*` and `nodejs_*` too: yes unless told otherwise. They watch the process until its end. */
  readonly withProcess?: boolean;
  /** Rules that share labels on the page are counted apart, for statsd, whose names hold whole paths. */
  readonly withWholePaths?: boolean;
}

/** Numbers that others keep. Each is asked when somebody scrapes. */
export interface MetricReaders {
  /** Keys in the local deny cache. */
  readonly denyCacheEntries?: (() => number) | undefined;
  /** Counters in the memory store. */
  readonly memoryCounters?: (() => number) | undefined;
  /** Whether this process should get requests. */
  readonly isReady?: (() => boolean) | undefined;
  /** What went to statsd. */
  readonly statsdLines?: (() => Readonly<Record<'sent' | 'lost', number>>) | undefined;
  /** Spans that were kept, and what became of their sending. */
  readonly traceSpans?: (() => Readonly<Record<'ended' | 'exported' | 'failed', number>>) | undefined;
}

/** The numbers of the page, as they are kept. */
export interface MetricNumbers {
  /** Those of rules. */
  series(): Iterable<Series>;
  /** The samples of another family; none when there is none with this name. */
  samples(family: string): Promise<readonly Sample[]>;
}

export interface MetricsText {
  readonly contentType: string;
  readonly body: string;
}

/** Everything that is counted, and its text for Prometheus. */
export interface Metrics {
  /** Adds each decision; told to the limiter. */
  readonly listener: DecisionListener;
  /** Adds each load of a configuration; told to the loader. */
  readonly onConfigLoad: (load: ConfigLoadRecord, rules: RuleSet | undefined) => void;
  /** Adds how it goes with a source of rules that is reached over the network; told to it, with its name. */
  readonly onSourceEvent: (source: string, event: SourceRecord) => void;
  /** Adds each call when it is answered; told to the edges. */
  readonly onCall: (call: CallRecord) => void;
  /** Adds what the gRPC transport tells of its connections. */
  readonly onTransportEvent: (event: TransportRecord) => void;
  /** Adds a connection to an HTTP listener that was one too many. */
  readonly onConnectionRefused: (listener: HttpListenerName) => void;
  /** Adds a message that became no request, and so no decision. */
  readonly onRefusal: (code: FailureCode) => void;
  /** Adds the calls, errors and connections of a Redis store. */
  readonly onStoreEvent: RedisStoreListener;
  /** Adds a counter that the memory store gave up for room although its window had not ended. */
  readonly onEviction: () => void;
  /** Adds what somebody did to counters. */
  readonly onCounterChange: (change: CounterChange) => void;
  /** Shows numbers that others keep; called when they exist, once for each. */
  readonly read: (readers: MetricReaders) => void;
  /** The same numbers for whoever sends them on. */
  readonly numbers: MetricNumbers;
  /** The page at `/metrics`. */
  readonly text: () => Promise<MetricsText>;
}

/** A registry of its own for each call: nothing is shared between two applications in one process. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { maxSeries = 10_000, maxValuesPerRule = 1_000 } = options;
  const registry = new Registry();
  const seriesDepth = options.withWholePaths ? Number.POSITIVE_INFINITY : undefined;
  const decisions = new DecisionMetrics(registry, { maxSeries, maxValuesPerRule, seriesDepth });
  const limits = new RuleLimits(maxSeries);
  const calls = new CallMetrics(registry, options.responseTimeUnit === 'milliseconds');
  const transport = new TransportMetrics(registry);
  const http = new HttpMetrics(registry);
  const config = new ConfigMetrics(registry);
  const sources = new SourceMetrics(registry);
  const counters = new CounterMetrics(registry);
  const store = new StoreMetrics(registry);
  const memoryStore = new MemoryStoreMetrics(registry, options.storeIsLocalByDefault === true);
  if (options.withProcess !== false) registerProcessMetrics(registry);

  return {
    listener: (event) => decisions.add(event),
    onConfigLoad: (load, rules) => {
      config.add(load, rules);
      decisions.rulesApplied(rules);
      limits.rulesApplied(rules);
    },
    onSourceEvent: (source, event) => sources.add(source, event),
    onCall: (call) => calls.add(call),
    onTransportEvent: (event) => transport.add(event),
    onConnectionRefused: (listener) => http.addRefusedConnection(listener),
    onRefusal: (code) => decisions.addRefusal(code),
    onStoreEvent: (event) => store.add(event),
    onEviction: () => memoryStore.addEviction(),
    onCounterChange: (change) => counters.add(change),
    read: (readers) => registerReaders(registry, readers),
    numbers: {
      series: () => decisions.series(),
      samples: async (family) => ((await registry.getSingleMetric(family)?.get())?.values ?? []) as Sample[],
    },
    text: async () => ({
      contentType: registry.contentType,
      body: `${decisions.seriesText()}\n${await limits.text()}\n${await registry.metrics()}`,
    }),
  };
}

function registerReaders(registry: Registry, readers: MetricReaders): void {
  const { denyCacheEntries, memoryCounters, isReady, statsdLines, traceSpans } = readers;
  if (isReady !== undefined) {
    registerFamily(registry, {
      name: 'weir_ready',
      help: '1 while this process should get requests: what /readyz and the gRPC health service say.',
      type: 'gauge',
      read: () => sampleOf(isReady() ? 1 : 0),
    });
  }
  if (denyCacheEntries !== undefined) {
    registerFamily(registry, {
      name: 'weir_deny_cache_entries',
      help: 'Keys in the local deny cache; what it refused is ratelimit_service_rate_limit_over_limit_with_local_cache.',
      type: 'gauge',
      read: () => sampleOf(denyCacheEntries()),
    });
  }
  if (memoryCounters !== undefined) {
    registerFamily(registry, {
      name: 'weir_memory_store_counters',
      help: 'Counters in the memory store.',
      type: 'gauge',
      read: () => sampleOf(memoryCounters()),
    });
  }
  if (statsdLines !== undefined) {
    registerFamily(registry, {
      name: 'weir_statsd_lines_total',
      help: 'Lines for statsd: sent (over UDP nobody knows whether they came), or lost as it could not be reached.',
      type: 'counter',
      read: () => samplesOf('result', statsdLines()),
    });
  }
  if (traceSpans !== undefined) {
    registerFamily(registry, {
      name: 'weir_trace_spans_total',
      help: 'Spans of sampled traces: all that ended, and of these how many were exported or failed; the rest waits, or had no room.',
      type: 'counter',
      read: () => samplesOf('result', traceSpans()),
    });
  }
}
