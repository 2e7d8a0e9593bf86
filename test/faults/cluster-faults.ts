import { clusterSlot } from '../../src/store/redis/cluster-slot.ts';
import { processCpuMs } from '../bench/process-costs.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { type RedisCluster, startCluster } from '../support/redis-cluster.ts';
import { startSentinels } from '../support/redis-sentinel.ts';
import { waitUntil } from '../support/wait-until.ts';
import { drill } from './drill.ts';
import { expectations, type Fault, type FaultReport } from './fault.ts';
import { figuresOf } from './figures.ts';
import { balance, countsIn } from './ledger.ts';
import { moveSlot } from './move-slot.ts';
import { serve } from './serve.ts';
import { startTraffic } from './traffic.ts';

const rate = 1_000;

/** Several nodes, and what can happen to some of them. */
export const clusterFaults: readonly Fault[] = [
  {
    id: 'F04',
    title: 'Sentinels make the replica the master: other passwords for Sentinels, TLS on both',
    tools: ['redis-server', 'redis-sentinel', 'openssl'],
    run: failsOver,
  },
  {
    id: 'F11',
    title: 'A master of a cluster of three is killed, no replica, 3,000 calls/s',
    tools: ['redis-server'],
    run: losesShard,
  },
  {
    id: 'K02',
    title: 'Calls of three descriptors, over the slots of all nodes, while slots move',
    tools: ['redis-server'],
    run: movesSlots,
  },
  {
    id: 'K04',
    title: 'All nodes come back at other addresses, behind the same names',
    tools: ['redis-server'],
    run: movesCluster,
  },
  {
    id: 'K06',
    title: 'The service starts before the cluster is formed',
    tools: ['redis-server'],
    run: startsBeforeCluster,
  },
];

const clusterSettings = (addresses: string) => ({ REDIS_TYPE: 'CLUSTER', REDIS_URL: addresses });

/** Where other nodes must go on, a busy machine is no reason for decisions that do not. */
const patient = { STORE_TIMEOUT: '250ms' };

/** The node that has the counter of a value. */
function nodeOf(cluster: RedisCluster, value: string): number {
  return cluster.nodeOfSlot(clusterSlot(`v1{shop|ip=${value}}86400`));
}

async function failsOver(): Promise<FaultReport> {
  await using sentinels = await startSentinels({ password: 'pw', sentinelPassword: 'other', tls: true });
  await using weir = await serve({
    REDIS_TYPE: 'SENTINEL',
    REDIS_URL: sentinels.url,
    REDIS_AUTH: 'pw',
    REDIS_SENTINEL_AUTH: 'other',
    REDIS_TLS: 'true',
    REDIS_TLS_CACERT: sentinels.certificates?.caFile ?? '',
  });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate });
  const report = await drill({
    weir,
    traffic,
    lastsMs: 0,
    isNoticed: false,
    inflict: () => sentinels.failover(),
    heal: async () => {},
  });
  const ledger = balance(await countsIn([sentinels.replica.client]), traffic.sent, traffic.records);
  const { hold, broken } = expectations();
  hold(ledger.doubled === 0, `${ledger.doubled} hits were counted twice`);
  return {
    ...report,
    ledger,
    broken: [...report.broken, ...broken],
    note: `${ledger.lost} hits were not on the new master; ${report.note}`,
  };
}

async function losesShard(): Promise<FaultReport> {
  await using cluster = await startCluster({ config: { 'cluster-require-full-coverage': 'no' } });
  await using weir = await serve({ ...clusterSettings(cluster.addresses), ...patient });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate: 3 * rate });
  const times = { from: 0, to: 0, cpuMs: 0 };
  const report = await drill({
    weir,
    traffic,
    lastsMs: 3_000,
    inflict: async () => {
      times.from = performance.now();
      times.cpuMs = processCpuMs(weir.pid);
      await cluster.nodes[0]?.kill();
    },
    heal: async () => {
      times.to = performance.now();
      times.cpuMs = processCpuMs(weir.pid) - times.cpuMs;
      await cluster.nodes[0]?.restart();
    },
  });
  const others = traffic.records.filter(({ keys }) => nodeOf(cluster, keys[0] ?? '') !== 0);
  const spared = figuresOf(others, times.from, times.to);
  const { hold, broken } = expectations();
  hold(spared.degraded < 0.05, `${(100 * spared.degraded).toFixed(1)} % of calls for other nodes failed`);
  const cores = times.cpuMs / (times.to - times.from);
  return {
    ...report,
    broken: [...report.broken, ...broken],
    note:
      `calls for other nodes: p99 ${spared.p99.toFixed(1)} ms, ${(100 * spared.degraded).toFixed(2)} % degraded; ` +
      `${cores.toFixed(2)} cores; ${report.note}`,
  };
}

async function movesSlots(): Promise<FaultReport> {
  await using cluster = await startCluster();
  await using weir = await serve({ ...clusterSettings(cluster.addresses), ...patient });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate, descriptors: 3 });
  let moved = 0;
  const report = await drill({
    weir,
    traffic,
    lastsMs: 0,
    isNoticed: false,
    inflict: async () => {
      for (let value = 0; value < 40; value += 1) {
        const slot = clusterSlot(`v1{shop|ip=k${value}}86400`);
        const from = cluster.nodeOfSlot(slot);
        await moveSlot(cluster, slot, cluster.nodes[from], cluster.nodes[(from + 1) % cluster.nodes.length]);
        moved += 1;
      }
    },
    heal: async () => {},
  });
  const counts = await countsIn(cluster.nodes.map(({ client }) => client));
  const ledger = balance(counts, traffic.sent, traffic.records);
  const { hold, broken } = expectations();
  hold(ledger.doubled === 0, `${ledger.doubled} hits were counted twice`);
  hold(ledger.lost === 0, `${ledger.lost} hits were lost`);
  return {
    ...report,
    ledger,
    broken: [...report.broken, ...broken],
    note: `${moved} slots moved; ${report.note}`,
  };
}

async function movesCluster(): Promise<FaultReport> {
  await using first = await startCuttingProxy();
  await using second = await startCuttingProxy();
  await using cluster = await startCluster({ masters: 2 });
  await using moved = await startCluster({ masters: 2 });
  const proxies = [first, second];
  const lead = ({ nodes }: RedisCluster) => {
    for (const [index, proxy] of proxies.entries()) proxy.target = nodes[index]?.port ?? 0;
  };
  lead(cluster);
  const seeds = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
  await using weir = await serve(clusterSettings(seeds));
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate });
  return await drill({
    weir,
    traffic,
    lastsMs: 1_000,
    inflict: async () => {
      await Promise.all(cluster.nodes.map((node) => node.kill()));
      for (const proxy of proxies) proxy.cutAll();
    },
    heal: async () => lead(moved),
  });
}

async function startsBeforeCluster(): Promise<FaultReport> {
  await using cluster = await startCluster({ masters: 2 });
  const halves = [
    ['0', '8191'],
    ['8192', '16383'],
  ] as const;
  for (const { client } of cluster.nodes) await client.call('CLUSTER', 'FLUSHSLOTS');
  await using weir = await serve({ ...clusterSettings(cluster.addresses), STORE_WAIT: '500ms' });
  await using traffic = startTraffic({ addresses: [weir.address('grpc')], rate });
  const report = await drill({
    weir,
    traffic,
    isNoticed: false,
    inflict: async () => {},
    heal: async () => {
      for (const [index, [first, last]] of halves.entries()) {
        await cluster.nodes[index]?.client.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
      }
      await waitUntil('the cluster', async () => {
        const infos = await Promise.all(cluster.nodes.map(({ client }) => client.cluster('INFO')));
        return infos.every((info) => info.includes('cluster_state:ok'));
      });
    },
  });
  const lines = weir.log().filter(({ level }) => level === 'error').length;
  const { hold, broken } = expectations();
  hold(lines < 50, `${lines} lines of errors in the log`);
  return {
    ...report,
    broken: [...report.broken, ...broken],
    note: `${lines} lines of errors; ${report.note}`,
  };
}
