import { afterAll, beforeAll, expect, it } from 'vitest';
import { readText } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { startUpstream } from '../support/start-upstream.ts';
import { startWeir } from '../support/start-weir.ts';
import { connectionManagerOf, hostOf, startExample } from './example-envoy.ts';

/** With windows so long that none ends in the middle of a test. */
const file = readText('examples/limits/config/limits.yaml')
  .replace('[4/second, 20/day]', '[4/year, 20/day]')
  .replace(/unit: minute, requests_per_unit: 10, algorithm/g, 'unit: day, requests_per_unit: 10, algorithm')
  .replace('requests_per_unit: 1000000, align', 'requests_per_unit: 10, align');

describeWithTools(['envoy'], 'examples/limits, behind Envoy', () => {
  const started = new AsyncDisposableStack();
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    const upstream = started.use(await startUpstream());
    const env = { BACKEND_TYPE: 'memory', LIMIT_FIELDS_ENABLED: 'true' };
    const weir = started.use(await startWeir({ rules: { 'limits.yaml': file }, env }));
    envoy = started.use(
      await startExample({ weir, upstream }, (bootstrap) => {
        const [ask] = connectionManagerOf(bootstrap).http_filters as [{ typed_config: { domain: string } }];
        ask.typed_config.domain = 'limits';
        const keys = ['account', 'remote_address', 'route', 'contract'];
        Object.assign(hostOf(bootstrap), {
          routes: [{ match: { prefix: '/' }, route: { cluster: 'service' } }],
          rate_limits: keys.map((key) => ({
            actions: [{ request_headers: { header_name: `x-${key}`, descriptor_key: key } }],
          })),
        });
      }),
    );
  });
  afterAll(() => started.disposeAsync());

  const ask = (key: string, value: string) =>
    httpCall({ address: envoy.listener(10000), path: '/', headers: { [`x-${key}`]: value } });
  const statusesOf = async (times: number, key: string, value: string) => {
    const statuses = [];
    for (let i = 0; i < times; i++) statuses.push((await ask(key, value)).status);
    return statuses;
  };

  it('C01: several limits on one descriptor deny together, and are listed', async () => {
    expect(await statusesOf(3, 'account', 'a1')).toEqual([200, 200, 200]);
    const { headers } = await ask('account', 'a1');
    expect(await statusesOf(2, 'account', 'a1')).toEqual([429, 429]);
    expect(headers['ratelimit-policy']).toBe('"4/year";q=4;w=31536000, "20/day";q=20;w=86400');
    expect(headers['ratelimit']).toMatch(/^"4\/year";r=0;t=\d+, "20\/day";r=16;t=\d+$/);
  });

  it.each([
    ['remote_address', 10],
    ['contract', 10],
  ])('%s passes %i times', async (key, times) => {
    const statuses = await statusesOf(times + 1, key, 'one');
    expect(statuses).toEqual([...Array(times).fill(200), 429]);
  });

  it('a bucket passes its burst', async () => {
    expect(await statusesOf(4, 'route', 'login')).toEqual([200, 200, 200, 429]);
  });

  it('a client is warned before it is denied', async () => {
    const warnings = [];
    for (let i = 0; i < 11; i++) warnings.push((await ask('contract', 'two')).headers['x-ratelimit-warning']);
    const told = warnings.map((warning) => warning && String(warning).replace(/reset=\d+/, 'reset=…'));
    expect(told).toEqual([
      ...Array(8).fill(undefined),
      'at=0.9, used=9, limit=10, reset=…',
      'at=0.9, used=10, limit=10, reset=…',
      undefined,
    ]);
  });
});
