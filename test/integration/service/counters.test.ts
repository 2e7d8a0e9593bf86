import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RedisCluster, startCluster } from '../../support/redis-cluster.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { runWeir } from '../cli/run-weir.ts';
import { callWeir } from './call-weir.ts';

const token = 'correct-horse-battery-staple';
const yaml = `
domain: shop
descriptors:
  - {key: account, rate_limit: {unit: year, requests_per_unit: 3}}
  - {key: api, rate_limits: [3/year, "9/31536001s"]}
  - {key: smooth, rate_limit: {unit: year, requests_per_unit: 3, algorithm: sliding_window}}
`;

describeWithTools(['redis-server'], 'counters of a running service', () => {
  let redis: RedisServer;
  let cluster: RedisCluster;
  beforeAll(async () => {
    [redis, cluster] = await Promise.all([startRedis(), startCluster()]);
  });
  afterAll(() => Promise.all([redis.stop(), cluster.stop()]));

  const standalone = () => ({ REDIS_URL: `127.0.0.1:${redis.port}` });
  const onCluster = () => ({
    REDIS_TYPE: 'CLUSTER',
    REDIS_URL: cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(','),
  });
  const start = (env: Record<string, string>) =>
    startWeir({
      rules: { 'shop.yaml': yaml },
      env: { BACKEND_TYPE: 'redis', REDIS_SOCKET_TYPE: 'tcp', DEBUG_TOKEN: token, ...env },
    });
  const counters = (weir: RunningWeir, operation: string, ...args: string[]) => {
    const address = `http://${weir.address('debug')}`;
    return runWeir(['counters', operation, '-d', 'shop', '-a', address, ...args], { DEBUG_TOKEN: token });
  };
  const codes = async (weir: RunningWeir, times: number, descriptor: string) => {
    const all: unknown[] = [];
    for (let time = 0; time < times; time += 1) all.push(await codeOf(weir, descriptor));
    return all.join(' ');
  };

  it.each([
    ['Redis', standalone, 'account=a'],
    ['Redis', standalone, 'api=a'],
    ['Redis', standalone, 'smooth=a'],
    ['Redis Cluster', onCluster, 'account=b'],
    ['Redis Cluster', onCluster, 'api=b'],
    ['Redis Cluster', onCluster, 'smooth=b'],
  ])('on %s: used up, granted, passed, used up, reset, passed', async (_, env, descriptor) => {
    await using weir = await start({ ...env(), COUNT_DENIED: 'false' });
    expect(await codes(weir, 4, descriptor)).toBe('OK OK OK OVER_LIMIT');
    const granted = await counters(weir, 'grant', '--hits', '2', descriptor);
    expect(granted).toMatchObject({ status: 0, out: expect.stringMatching(/3 used before, 1 now, 2 left/) });
    expect(await codes(weir, 3, descriptor)).toBe('OK OK OVER_LIMIT');
    expect(await counters(weir, 'reset', descriptor)).toMatchObject({ status: 0 });
    expect(await codes(weir, 4, descriptor)).toBe('OK OK OK OVER_LIMIT');
    expect(weir.log().filter((line) => line['@message'] === 'counters were changed')).toHaveLength(2);
  });

  it('the replica that is asked lets pass at once, and the others when they look again', async () => {
    const env = { ...standalone(), LOCAL_CACHE_SIZE_IN_BYTES: '100000', LOCAL_CACHE_LOOK_AGAIN: '200ms' };
    await using one = await start(env);
    await using other = await start(env);
    expect(await codes(one, 5, 'account=c')).toBe('OK OK OK OVER_LIMIT OVER_LIMIT');
    expect(await codes(other, 2, 'account=c')).toBe('OVER_LIMIT OVER_LIMIT');
    await counters(one, 'grant', '--hits', '1000', 'account=c');
    expect(await codes(one, 1, 'account=c')).toBe('OK');
    await waitUntil('the other to let pass', async () => (await codeOf(other, 'account=c')) === 'OK');
  });

  it('a Redis that is away: 503 and the kind', async () => {
    const gone = await startRedis();
    await using weir = await start({ REDIS_URL: `127.0.0.1:${gone.port}` });
    await gone.stop();
    await waitUntil(
      'the loss to be known',
      async () => (await counters(weir, 'get', 'account=d')).status === 2,
    );
    const { status, out } = await counters(weir, 'reset', 'account=d');
    expect({ status, out }).toMatchObject({
      status: 2,
      out: expect.stringContaining('not reached (connection)'),
    });
  });
});

async function codeOf(weir: RunningWeir, descriptor: string): Promise<unknown> {
  const answer = await callWeir(weir, descriptor);
  return 'response' in answer ? answer.response['overallCode'] : answer.status;
}
