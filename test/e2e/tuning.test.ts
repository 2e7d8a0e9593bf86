import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { seriesOf } from '../support/exposition.ts';
import { freePort } from '../support/free-port.ts';
import { httpCall } from '../support/http-call.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { startUpstream, type Upstream } from '../support/start-upstream.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { get, limitIn, rules, snippetOf, startExample, weirClusterOf } from './example-envoy.ts';

async function callsOf(weir: RunningWeir): Promise<number> {
  const { body } = await httpCall({ address: weir.address('metrics'), path: '/metrics' });
  const calls = 'weir_calls_total{protocol="grpc",method="ShouldRateLimit",code="OK"}';
  return new Map(seriesOf(body)).get(calls) ?? 0;
}

function endpointOf(weir: RunningWeir): object {
  const [address = '', port] = weir.address('grpc').split(':');
  return { endpoint: { address: { socket_address: { address, port_value: Number(port) } } } };
}

async function statOf(envoy: RunningEnvoy, name: string): Promise<number> {
  return (await envoy.stats(`^${name}$`))[name] ?? 0;
}

describeWithTools(['envoy'], 'the tuning of docs/envoy.md, with two replicas of Weir', () => {
  let weirs: [RunningWeir, RunningWeir];
  let upstream: Upstream;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    upstream = await startUpstream();
    const start = () => startWeir({ rules, env: { BACKEND_TYPE: 'memory' } });
    weirs = [await start(), await start()];
    envoy = await startExample({ weir: weirs[0], upstream }, (bootstrap) => {
      const cluster = weirClusterOf(bootstrap);
      cluster.load_assignment.endpoints[0].lb_endpoints.push(endpointOf(weirs[1]));
      Object.assign(cluster, snippetOf('lb_policy:'));
    });
  });
  afterAll(async () => {
    await Promise.all([envoy, ...(weirs ?? []), upstream].map((one) => one?.stop()));
  });

  const healthy = (count: number) =>
    waitUntil(`${count} healthy replicas`, async () => {
      return (await statOf(envoy, 'cluster.weir.membership_healthy')) === count;
    });
  const askTenTimes = async () => {
    const limits: unknown[] = [];
    for (let i = 0; i < 10; i++) limits.push(limitIn(await get(envoy, '/', `user-${i}`))[1]);
    return limits;
  };

  it('both are asked', async () => {
    await healthy(2);
    await waitUntil('calls at both', async () => {
      await askTenTimes();
      return (await Promise.all(weirs.map(callsOf))).every((calls) => calls > 0);
    });
  });

  it('one that hangs is left, and the other answers for both', async () => {
    weirs[0].signal('SIGSTOP');
    await healthy(1);
    const before = await statOf(envoy, 'cluster.service.ratelimit.error');
    expect(await askTenTimes()).not.toContain(undefined);
    expect(await statOf(envoy, 'cluster.service.ratelimit.error')).toBe(before);
    weirs[0].signal('SIGCONT');
    await healthy(2);
  });
});

describeWithTools(['envoy'], 'outlier detection, of which docs/envoy.md warns', () => {
  it('takes out a replica that answers UNAVAILABLE, though it is well and Redis is not', async () => {
    await using upstream = await startUpstream();
    const REDIS_URL = `127.0.0.1:${await freePort()}`;
    await using weir = await startWeir({ rules, env: { REDIS_URL }, untilReady: false });
    await using envoy = await startExample({ weir, upstream }, (bootstrap) => {
      const outlier_detection = { consecutive_5xx: 5, max_ejection_percent: 100 };
      Object.assign(weirClusterOf(bootstrap), { outlier_detection });
    });
    await waitUntil('the replica to be ejected', async () => {
      await get(envoy, '/');
      return (await statOf(envoy, 'cluster.weir.outlier_detection.ejections_enforced_total')) > 0;
    });
  });
});
