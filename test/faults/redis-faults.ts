import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { drill } from './drill.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { balance, countsIn } from './ledger.ts';
import { serve } from './serve.ts';
import { startTraffic } from './traffic.ts';

const rate = 1_000;

/** Where every decision must come, a busy machine is no reason for one that does not. */
const patient = { STORE_TIMEOUT: '1s' };
const lastsMs = 2_500;

/** A service on one Redis with traffic, and what happens to it. */
async function onRedis(
  redis: RedisServer,
  fault: (redis: RedisServer) => { inflict(): Promise<unknown>; heal(): Promise<unknown> },
  { url = redis.address, isNoticed = true, env = {} } = {},
): Promise<FaultReport> {
  await using weir = await serve({ REDIS_URL: url, ...env });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate });
  const { inflict, heal } = fault(redis);
  const report = await drill({
    weir,
    traffic,
    lastsMs,
    isNoticed,
    inflict: async () => void (await inflict()),
    heal: async () => void (await heal()),
  });
  const ledger = balance(await countsIn([redis.client]), traffic.sent, traffic.records);
  const { hold, broken } = expectations();
  hold(ledger.doubled === 0, `${ledger.doubled} hits were counted twice`);
  return { ...report, ledger, broken: [...report.broken, ...broken] };
}

const answersAgain = (redis: RedisServer) =>
  waitUntil('an answer of Redis', async () => (await redis.client.ping()) === 'PONG', 60_000);

/** One Redis, and everything that can happen to it. */
export const redisFaults: readonly Fault[] = [
  {
    id: 'F01',
    title: 'Redis pauses all clients (CLIENT PAUSE)',
    tools: ['redis-server'],
    async run() {
      await using redis = await startRedis();
      return await onRedis(redis, () => ({
        inflict: () => redis.client.call('CLIENT', 'PAUSE', String(lastsMs), 'ALL'),
        heal: () => answersAgain(redis),
      }));
    },
  },
  {
    id: 'F01',
    title: 'Redis is halted (SIGSTOP)',
    tools: ['redis-server'],
    async run() {
      await using redis = await startRedis();
      return await onRedis(redis, () => ({
        inflict: async () => process.kill(redis.pid, 'SIGSTOP'),
        heal: async () => process.kill(redis.pid, 'SIGCONT'),
      }));
    },
  },
  {
    id: 'F02',
    title: 'The network swallows everything, and no connection is closed',
    tools: ['redis-server'],
    async run() {
      await using redis = await startRedis();
      await using proxy = await startCuttingProxy(redis.port);
      return await onRedis(
        redis,
        () => ({
          inflict: async () => {
            proxy.isSilent = true;
          },
          heal: async () => {
            proxy.isSilent = false;
          },
        }),
        { url: `127.0.0.1:${proxy.port}` },
      );
    },
  },
  {
    id: 'F02',
    title: 'Redis is killed, and started again empty',
    tools: ['redis-server'],
    async run() {
      await using redis = await startRedis();
      return withoutLost(
        await onRedis(redis, () => ({ inflict: () => redis.kill(), heal: () => redis.restart() })),
      );
    },
  },
  {
    id: 'F05',
    title: 'The service starts while there is no Redis',
    tools: ['redis-server'],
    run: startsWithoutRedis,
  },
  {
    id: 'F07',
    title: 'SCRIPT FLUSH twenty times a second',
    tools: ['redis-server'],
    async run() {
      await using redis = await startRedis();
      let flushing = true;
      let flushes = 0;
      const flush = async () => {
        for (; flushing; flushes += 1) {
          await redis.client.script('FLUSH');
          await sleep(50);
        }
      };
      let running: Promise<void> | undefined;
      const report = await onRedis(
        redis,
        () => ({
          inflict: async () => {
            running = flush();
          },
          heal: async () => {
            flushing = false;
            await running;
          },
        }),
        { isNoticed: false, env: patient },
      );
      return allDecided({ ...report, note: `${flushes} times` });
    },
  },
  {
    id: 'F08',
    title: 'Connections are killed at random, 100 a second',
    tools: ['redis-server'],
    run: killsConnections,
  },
  {
    id: 'F09',
    title: 'The password is changed, with a new one in the file',
    tools: ['redis-server'],
    run: changesPassword,
  },
  {
    id: 'F10',
    title: 'Redis drops counters when its memory is full (allkeys-lru)',
    tools: ['redis-server'],
    async run() {
      await using redis = await startRedis({
        config: { maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' },
      });
      await using weir = await serve({ REDIS_URL: redis.address });
      const { hold, broken } = expectations();
      const warned = weir
        .log()
        .some(({ policy, node }) => policy === 'allkeys-lru' && node === redis.address);
      hold(warned, 'nobody is warned of maxmemory-policy');
      return { broken, note: 'a warning at the start, with node and policy' };
    },
  },
];

/** Everything that was counted before is gone with the process that counted it. */
function withoutLost({ ledger, ...report }: FaultReport): FaultReport {
  return ledger === undefined ? report : { ...report, ledger: { ...ledger, lost: 0 } };
}

function allDecided(report: FaultReport): FaultReport {
  const { hold, broken } = expectations();
  hold(report.during?.degraded === 0, 'decisions failed');
  return { ...report, broken: [...report.broken, ...broken] };
}

async function startsWithoutRedis(): Promise<FaultReport> {
  await using redis = await startRedis();
  await redis.kill();
  await using weir = await serve({ REDIS_URL: redis.address, STORE_WAIT: '500ms' });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate });
  return await drill({
    weir,
    traffic,
    lastsMs,
    isNoticed: false,
    inflict: async () => {},
    heal: () => redis.restart(),
  });
}

async function killsConnections(): Promise<FaultReport> {
  await using redis = await startRedis();
  let killing = true;
  let killed = 0;
  const kill = async () => {
    for (; killing; killed += 1) {
      await redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(10 * Math.random());
    }
  };
  let running: Promise<void> | undefined;
  const report = await onRedis(redis, () => ({
    inflict: async () => {
      running = kill();
    },
    heal: async () => {
      killing = false;
      await running;
    },
  }));
  const keys = await redis.client.keys('*');
  const times = await Promise.all(keys.map((key) => redis.client.pttl(key)));
  const { hold, broken } = expectations();
  hold(
    keys.length > 0 && times.every((ms) => ms > 0),
    `${times.filter((ms) => ms <= 0).length} counters never expire`,
  );
  return {
    ...report,
    broken: [...report.broken, ...broken],
    note: `${killed} times; all ${keys.length} counters have an expiry; ${report.note}`,
  };
}

async function changesPassword(): Promise<FaultReport> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-password-'));
  await using redis = await startRedis();
  const passwords = { old: `old-${Math.random()}`, new: `new-${Math.random()}` };
  const file = join(directory, 'auth');
  await writeFile(file, `rl:${passwords.old}\n`);
  await redis.client.call('ACL', 'SETUSER', 'rl', 'on', `>${passwords.old}`, '~*', '&*', '+@all');
  try {
    return await onRedis(
      redis,
      () => ({
        inflict: async () => {
          await redis.client.call('ACL', 'SETUSER', 'rl', 'resetpass', `>${passwords.new}`);
          await redis.client.call('CLIENT', 'KILL', 'USER', 'rl');
        },
        heal: () => writeFile(file, `rl:${passwords.new}\n`),
      }),
      { env: { REDIS_AUTH_FILE: file } },
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}
