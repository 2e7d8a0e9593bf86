import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import type { StatsdSettings } from '../settings/telemetry-settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface StatsdParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Metrics that may also be sent to statsd. */
export interface SentMetrics {
  readonly metrics: Metrics;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** The same metrics, which are sent where the settings say so. The library is loaded only then. */
export async function startStatsd(
  settings: StatsdSettings | undefined,
  parts: StatsdParts,
): Promise<SentMetrics> {
  const { metrics } = parts;
  if (settings === undefined) return { metrics, stop: () => Promise.resolve() };
  const { startStatsdSink } = await import('../telemetry/statsd/statsd-sink.ts');
  const sink = startStatsdSink({ ...settings, ...parts, numbers: metrics.numbers });
  metrics.read({ statsdLines: sink.lines });
  const onCall: Metrics['onCall'] = (call) => {
    metrics.onCall(call);
    sink.onCall(call);
  };
  return { metrics: { ...metrics, onCall }, stop: sink.stop };
}
