import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { startCluster } from '../../support/redis-cluster.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { startRedis } from '../../support/redis-server.ts';
import type { RunningWeir as Weir } from '../../support/start-weir.ts';
import { askOnce, rulesOf } from './pod-rules.ts';
import { startPod } from './start-pod.ts';

describeWithTools(['helm', 'redis-server', 'redis-sentinel'], 'a pod of the chart, and Redis', () => {
  it('behind Sentinels that want a password of their own', async () => {
    await using sentinels = await startSentinels({ password: 'of-redis', sentinelPassword: 'of-sentinels' });
    const auth = { existingSecret: 'redis', sentinelKey: 'sentinel' };
    const values = {
      store: 'redis',
      config: { rules: rulesOf(5) },
      redis: { type: 'sentinel', url: sentinels.url, auth },
    };
    const data = { redis: { password: 'of-redis', sentinel: 'of-sentinels' } };
    const { weir } = await startPod({ values }, { data });
    expect(await askOnce(weir)).toMatchObject({ limitRemaining: 4 });
  });

  it('a cluster, and a server of its own for limits per second', async () => {
    await using cluster = await startCluster();
    await using second = await startRedis({ password: 'of-second' });
    const perSecond = { enabled: true, url: second.address, auth: { existingSecret: 'second', key: 'pass' } };
    const values = {
      store: 'redis',
      config: { rules: { ...rulesOf(5), 'fast.yaml': fastRules } },
      redis: { type: 'cluster', url: cluster.addresses, perSecond },
    };
    const { weir } = await startPod({ values }, { data: { second: { pass: 'of-second' } } });
    expect(await askOnce(weir)).toMatchObject({ limitRemaining: 4 });
    const client = createGrpcClient(weir.address('grpc'));
    onTestFinished(() => client.close());
    const descriptors = [{ entries: [{ key: 'user', value: 'ann' }] }];
    const fast = await client.call(shouldRateLimit, { domain: 'fast', descriptors });
    expect(fast).toMatchObject({ response: { statuses: [{ limitRemaining: 1000 }] } });
    expect(await second.client.keys('*')).toEqual(['limits/weir:v1{fast|user=ann}1']);
  });

  it.each([
    ['D06: two releases in one namespace', { name: 'blue' }, { name: 'green' }],
    ['D07: two releases of one name in two namespaces', { namespace: 'blue' }, { namespace: 'green' }],
  ])('%s count apart on one Redis; with one prefix, together', async (_, one, two) => {
    await using redis = await startRedis();
    const start = async (release: object, keyPrefix = '') => {
      const values = {
        store: 'redis',
        config: { rules: rulesOf(5) },
        redis: { url: redis.address, keyPrefix },
      };
      return (await startPod({ ...release, values })).weir;
    };
    const all = [start(one), start(two), start(one, 'shared:'), start(two, 'shared:')];
    const [apart, alsoApart, shared, alsoShared] = (await Promise.all(all)) as [Weir, Weir, Weir, Weir];
    expect(await askOnce(apart)).toMatchObject({ limitRemaining: 4 });
    expect(await askOnce(alsoApart)).toMatchObject({ limitRemaining: 4 });
    expect(await askOnce(shared)).toMatchObject({ limitRemaining: 4 });
    expect(await askOnce(alsoShared)).toMatchObject({ limitRemaining: 3 });
  });
});

const fastRules = `domain: fast
descriptors:
  - key: user
    rate_limit: { unit: second, requests_per_unit: 1001 }
`;
