import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';

const read = (env: Environment) => readSettings({ BACKEND_TYPE: 'memory', ...env });
const warned = (env: Environment) => read(env).warnings.map(({ variable }) => variable);
const statsd = { USE_STATSD: 'true' };
const dog = { USE_DOG_STATSD: 'true' };

describe('where metrics are sent to', () => {
  it.each<[Environment, object | undefined]>([
    [{}, undefined],
    [{ USE_STATSD: 'false', USE_DOG_STATSD: 'false' }, undefined],
    [
      statsd,
      {
        flavour: 'statsd',
        protocol: 'tcp',
        host: 'localhost',
        port: 8125,
        flushIntervalMs: 10_000,
        tags: [],
      },
    ],
    [
      { ...statsd, STATSD_PROTOCOL: 'udp', STATSD_HOST: '10.0.0.1', STATSD_PORT: '9125' },
      { flavour: 'statsd', protocol: 'udp', host: '10.0.0.1', port: 9125 },
    ],
    [
      { ...dog, EXTRA_TAGS: 'env:prod,team:edge', STATS_FLUSH_INTERVAL: '2s' },
      {
        flavour: 'dogstatsd',
        protocol: 'udp',
        flushIntervalMs: 2_000,
        tags: [
          ['env', 'prod'],
          ['team', 'edge'],
        ],
      },
    ],
    [{ ...statsd, USE_PROMETHEUS: 'true' }, { flavour: 'statsd' }],
  ])('%j', (env, expected) => {
    const result = read(env);
    expect(result).toMatchObject({ warnings: [] });
    if (expected === undefined) expect(result).toHaveProperty('settings.metrics.statsd', undefined);
    else expect(result).toMatchObject({ settings: { metrics: { statsd: expected } } });
  });

  it.each([statsd, dog])('DISABLE_STATS keeps %j from sending, and says so', (env) => {
    const result = read({ ...env, DISABLE_STATS: 'true' });
    expect(result).toHaveProperty('settings.metrics.statsd', undefined);
    expect(result.warnings.map(({ variable }) => variable)).toEqual(Object.keys(env));
  });

  it.each<[Environment, string[]]>([
    [{ STATSD_HOST: 'a', EXTRA_TAGS: 'a:b' }, ['STATSD_HOST', 'EXTRA_TAGS']],
    [{ ...dog, STATSD_PROTOCOL: 'tcp' }, ['STATSD_PROTOCOL']],
  ])('of %j, %j mean nothing', (env, names) => {
    expect(warned(env)).toEqual(names);
  });

  it.each<[Environment, string]>([
    [{ ...statsd, ...dog }, 'USE_DOG_STATSD contradicts USE_STATSD. Set one of them to false.'],
    [{ ...statsd, STATSD_PORT: '0' }, 'STATSD_PORT must be a port to send to, not 0.'],
    [{ STATS_FLUSH_INTERVAL: '0' }, 'STATS_FLUSH_INTERVAL must be a duration above 0, not "0".'],
    [{ ...statsd, STATSD_PROTOCOL: 'unix' }, 'STATSD_PROTOCOL must be one of tcp, udp, not "unix".'],
  ])('%j is refused', (env, message) => {
    expect(read(env)).toMatchObject({ errors: [{ message }] });
  });
});
