import type { Checks } from './checks.ts';
import type { StatsdSettings } from './telemetry-settings.ts';

const details = ['STATSD_HOST', 'STATSD_PORT', 'STATSD_PROTOCOL', 'STATS_FLUSH_INTERVAL'] as const;

/** Where metrics are sent to. The reference has one sink; here `/metrics` is always there, and one of these two beside it. */
export function statsdSettings(checks: Checks): StatsdSettings | undefined {
  const { values } = checks;
  const asked = (['USE_STATSD', 'USE_DOG_STATSD'] as const).filter((name) => values[name]);
  if (values.DISABLE_STATS) checks.unused(asked, 'DISABLE_STATS is true; /metrics is there all the same');
  if (asked.length === 0 || values.DISABLE_STATS) {
    checks.unused(details, 'nothing is sent to statsd unless USE_STATSD or USE_DOG_STATSD is true');
    checks.unused(['EXTRA_TAGS'], 'it is about statsd; Prometheus adds labels that belong to a target');
    return undefined;
  }
  if (asked.length > 1) checks.fail('USE_DOG_STATSD', 'contradicts USE_STATSD. Set one of them to false.');
  if (values.STATSD_PORT === 0) checks.fail('STATSD_PORT', 'must be a port to send to, not 0.');
  const isDog = values.USE_DOG_STATSD;
  if (isDog) checks.unused(['STATSD_PROTOCOL'], 'DogStatsD is spoken over UDP');
  return {
    flavour: isDog ? 'dogstatsd' : 'statsd',
    protocol: isDog ? 'udp' : values.STATSD_PROTOCOL,
    host: values.STATSD_HOST,
    port: values.STATSD_PORT,
    flushIntervalMs: values.STATS_FLUSH_INTERVAL,
    tags: [...values.EXTRA_TAGS],
  };
}
