import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/settings.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing/start-tracing.ts';
import { startStatsd } from './start-statsd.ts';
import { startTracing } from './start-tracing.ts';

/** What is counted, and what of it is sent somewhere. */
export interface Telemetry {
  readonly metrics: Metrics;
  /** undefined: no traces. */
  readonly tracing: Tracing | undefined;
  /** Sends what is left, and gives up at the deadline, in ms from now. */
  stop(deadlineMs: number): Promise<void>;
}

/** The exit does not wait longer than this for a receiver that is away. */
const lastSendingMs = 3_000;

/** Nothing is sent anywhere unless the settings ask for it; what would send is not even loaded then. */
export async function startTelemetry(
  settings: Settings,
  context: { readonly clock: Clock; readonly log: Logger },
): Promise<Telemetry> {
  const { maxSeries, maxValuesPerRule, responseTimeUnit, statsd } = settings.metrics;
  const metrics = createMetrics({
    maxSeries,
    maxValuesPerRule,
    responseTimeUnit,
    storeIsLocalByDefault: settings.store.kind === 'memory' && !settings.store.explicit,
    withWholePaths: statsd !== undefined,
  });
  const tracing = await startTracing(settings.tracing, context);
  const sent = await startStatsd(statsd, { ...context, metrics });
  metrics.read({ traceSpans: tracing?.spans });
  return {
    metrics: sent.metrics,
    tracing,
    stop: (deadlineMs) =>
      before(Math.min(deadlineMs, lastSendingMs), Promise.all([sent.stop(), tracing?.stop()])),
  };
}

async function before(deadlineMs: number, ending: Promise<unknown>): Promise<void> {
  const deadline = Promise.withResolvers<void>();
  const timer = setTimeout(deadline.resolve, deadlineMs);
  await Promise.race([ending, deadline.promise]);
  clearTimeout(timer);
}
