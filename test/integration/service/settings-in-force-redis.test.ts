import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { type RedisServer, type RedisServerOptions, startRedis } from '../../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { callWeir, readiness } from './call-weir.ts';

const rules = {
  'shop.yaml': `
domain: shop
descriptors:
  - {key: second, rate_limit: {unit: second, requests_per_unit: 100}}
  - {key: day, rate_limit: {unit: day, requests_per_unit: 100}}
`,
};
const decided = { response: { overallCode: 'OK', statuses: [{ limitRemaining: 99 }] } };
const unavailable = { status: 'UNAVAILABLE' };

async function redis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const server = await startRedis(options);
  onTestFinished(() => server.stop());
  return server;
}

/** Ready also without the store, so that what it can do shows in its answers. */
async function start(env: Record<string, string>): Promise<RunningWeir> {
  const weir = await startWeir({ rules, env: { STORE_WAIT: '1ms', STORE_TIMEOUT: '5s', ...env } });
  onTestFinished(async () => void (await weir.stop()));
  return weir;
}

function untilLogged(weir: RunningWeir, text: string): Promise<unknown> {
  return waitUntil(text, () => weir.lines.some((line) => line.includes(text)));
}

const connected = 'connected to the store';
const unusable = 'cannot be used';

describeWithTools(['redis-server'], 'settings of Redis', () => {
  it('CACHE_KEY_PREFIX: keys begin with it', async () => {
    const server = await redis();
    const weir = await start({ REDIS_URL: server.address, CACHE_KEY_PREFIX: 'team:' });
    await untilLogged(weir, connected);
    expect(await callWeir(weir, 'day=x')).toMatchObject(decided);
    expect(await server.client.keys('*')).toEqual(['team:v1{shop|day=x}86400']);
  });

  it.each([
    ['true', 'not ready: store'],
    ['false', 'OK'],
  ])('REDIS_HEALTH_CHECK_ACTIVE_CONNECTION=%s, and Redis goes away: %s', async (value, said) => {
    const server = await redis();
    const env = { REDIS_URL: server.address, REDIS_HEALTH_CHECK_ACTIVE_CONNECTION: value };
    const weir = await start(env);
    await untilLogged(weir, connected);
    await server.kill();
    await untilLogged(weir, unusable);
    await waitUntil(said, async () => (await readiness(weir)) === said);
  });

  it('REDIS_PERSECOND with REDIS_PERSECOND_AUTH: limits per second have a Redis of their own', async () => {
    const [first, second] = [await redis(), await redis({ password: 'open' })];
    const env = {
      REDIS_URL: first.address,
      REDIS_PERSECOND: 'true',
      REDIS_PERSECOND_URL: second.address,
    };
    const weir = await start({ ...env, REDIS_PERSECOND_AUTH: 'open' });
    await waitUntil('both', () => weir.lines.filter((line) => line.includes(connected)).length >= 2);
    expect(await callWeir(weir, 'day=x')).toMatchObject(decided);
    expect(await first.client.keys('*')).toEqual(['v1{shop|day=x}86400']);
    await waitUntil('a key that has not ended', async () => {
      await callWeir(weir, 'second=x');
      return (await second.client.keys('*')).includes('v1{shop|second=x}1');
    });
    expect(await first.client.dbsize()).toBe(1);

    const without = await start(env);
    await untilLogged(without, unusable);
    expect(await callWeir(without, 'second=x')).toMatchObject(unavailable);
  });
});

describeWithTools(['redis-server', 'openssl'], 'settings of TLS to Redis', () => {
  it('REDIS_TLS_CACERT, and a certificate of the client', async () => {
    const server = await redis({ tls: true, config: { 'tls-auth-clients': 'yes' } });
    const { caFile = '', clientCertFile = '', clientKeyFile = '' } = server.certificates ?? {};
    const url = { REDIS_URL: server.tlsAddress, REDIS_TLS: 'true' };
    const client = { REDIS_TLS_CLIENT_CERT: clientCertFile, REDIS_TLS_CLIENT_KEY: clientKeyFile };

    const weir = await start({ ...url, ...client, REDIS_TLS_CACERT: caFile });
    await untilLogged(weir, connected);
    expect(await callWeir(weir, 'day=x')).toMatchObject(decided);

    for (const env of [
      { ...url, REDIS_TLS_CACERT: caFile },
      { ...url, ...client },
    ]) {
      const refused = await start(env);
      await untilLogged(refused, unusable);
      expect(await callWeir(refused, 'day=x')).toMatchObject(unavailable);
    }
  });
});

describeWithTools(['redis-server', 'redis-sentinel'], 'settings of Sentinels', () => {
  it('REDIS_TYPE=SENTINEL with REDIS_SENTINEL_AUTH', async () => {
    const sentinels = await startSentinels({ sentinels: 1, sentinelPassword: 'watch' });
    onTestFinished(() => sentinels.stop());
    const env = { REDIS_TYPE: 'SENTINEL', REDIS_URL: sentinels.url };
    const weir = await start({ ...env, REDIS_SENTINEL_AUTH: 'watch' });
    await untilLogged(weir, connected);
    expect(await callWeir(weir, 'day=x')).toMatchObject(decided);
    expect(await sentinels.master.client.keys('*')).toEqual(['v1{shop|day=x}86400']);

    const without = await start(env);
    await untilLogged(without, unusable);
    expect(await callWeir(without, 'day=x')).toMatchObject(unavailable);
  });
});
