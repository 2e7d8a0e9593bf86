import { afterAll, beforeAll, expect, it } from 'vitest';
import { readText } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { seriesOf } from '../support/exposition.ts';
import { httpCall } from '../support/http-call.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { startUpstream } from '../support/start-upstream.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { connectionManagerOf, hostOf, limitIn, startExample } from './example-envoy.ts';

/** With days for minutes, so that no window ends in the middle of a test. */
const file = readText('examples/networks/config/networks.yaml').replaceAll('unit: minute', 'unit: day');

describeWithTools(['envoy'], 'examples/networks, by the addresses that Envoy sends', () => {
  const started = new AsyncDisposableStack();
  let envoy: RunningEnvoy;
  let weir: RunningWeir;
  beforeAll(async () => {
    const upstream = started.use(await startUpstream());
    weir = started.use(
      await startWeir({ rules: { 'networks.yaml': file }, env: { BACKEND_TYPE: 'memory' } }),
    );
    envoy = started.use(
      await startExample({ weir, upstream }, (bootstrap) => {
        const manager = connectionManagerOf(bootstrap);
        const [ask] = manager.http_filters as [{ typed_config: { domain: string } }];
        ask.typed_config.domain = 'networks';
        // The test is the proxy in front that Envoy trusts.
        Object.assign(manager, { use_remote_address: true, xff_num_trusted_hops: 1 });
        Object.assign(hostOf(bootstrap), {
          routes: [{ match: { prefix: '/' }, route: { cluster: 'service' } }],
          rate_limits: [{ actions: [{ remote_address: {} }] }],
        });
      }),
    );
  });
  afterAll(() => started.disposeAsync());

  const ask = (address: string) =>
    httpCall({ address: envoy.listener(10000), path: '/', headers: { 'x-forwarded-for': address } });
  const limitsOf = async (...addresses: string[]) => {
    const limits = [];
    for (const address of addresses) limits.push(limitIn(await ask(address)));
    return limits;
  };

  it('M11: two networks are exempt, in any text of their addresses', async () => {
    const exempt = ['10.20.3.4', '2001:db8:5::9', '::ffff:10.20.3.4', '2001:0DB8:5:0::9'];
    const asked = [...exempt, ...exempt, ...exempt];
    expect(await limitsOf(...asked)).toEqual(asked.map(() => [200, undefined]));
    const { body } = await httpCall({ address: weir.address('metrics'), path: '/metrics' });
    expect(seriesOf(body).get('weir_exempt_requests_total{domain="networks"}')).toBe(asked.length);
  });

  it('M11: everybody else is limited, and all addresses of a /64 together', async () => {
    const limit = '2, 2;w=86400';
    expect(await limitsOf('2001:db8:9::1', '2001:db8:9::2', '2001:db8:9:0:7::3', '2001:db8:9:1::1')).toEqual([
      [200, limit],
      [200, limit],
      [429, limit],
      [200, limit],
    ]);
    expect(await limitsOf('203.0.113.7', '203.0.113.8')).toEqual([
      [200, limit],
      [200, limit],
    ]);
  });

  it('the smallest network around an address has its limit', async () => {
    expect(await limitsOf('192.0.2.7', '::ffff:192.0.2.130')).toEqual([
      [200, '1000, 1000;w=86400'],
      [200, '10, 10;w=3600'],
    ]);
  });
});
