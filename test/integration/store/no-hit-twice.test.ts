import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { slidingWindow } from '../../../src/domain/counting.ts';
import type { Hit } from '../../../src/domain/hit.ts';
import type { CounterState, CounterStore, HitResult } from '../../../src/store/counter-store.ts';
import { clusterSlot } from '../../../src/store/redis/cluster-slot.ts';
import { isStoreError } from '../../../src/store/store-error.ts';
import { freshKey, hitOn } from '../../case/counter-store.case.ts';
import { type CuttingProxy, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { closeAfterEach } from '../../support/opened-stores.ts';
import { type RedisCluster, startCluster } from '../../support/redis-cluster.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { connectionTo, connectionToCluster, connectionToPort } from '../../support/redis-stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { open, openStore } = closeAfterEach();

const countMask = 2n ** 33n;

async function storedCount(client: Redis, key: string): Promise<number> {
  return Number(BigInt((await client.get(key)) ?? '0') % countMask);
}

async function executedIncrements(client: Redis): Promise<number> {
  return Number(/cmdstat_incrby:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
}

/** One hit on each of many keys, a few at a time, until the proxies have cut often enough. */
async function hitThroughProxies(store: CounterStore, proxies: readonly CuttingProxy[]) {
  const outcomes = new Map<string, CounterState | { kind: string }>();
  const cuts = () => proxies.reduce((sum, proxy) => sum + proxy.cuts, 0);
  for (const proxy of proxies) proxy.cutShare = 0.2;
  await waitUntil(
    'cuts by the proxies',
    async () => {
      const keys = Array.from({ length: 20 }, () => freshKey());
      const calls = keys.map((key) => store.hit([hitOn(key, 1)], performance.now() + 1_000));
      for (const [index, { states }] of (await Promise.all(calls)).entries()) {
        outcomes.set(keys[index] as string, states[0] as CounterState);
      }
      return cuts() >= 25;
    },
    40_000,
  );
  for (const proxy of proxies) proxy.cutShare = 0;
  return outcomes;
}

async function expectEachOnceOrNot(
  outcomes: ReadonlyMap<string, object>,
  clientOf: (key: string) => Redis,
  clients: readonly Redis[],
) {
  let executed = 0;
  let failedButExecuted = 0;
  for (const [key, outcome] of outcomes) {
    const count = await storedCount(clientOf(key), key);
    executed += count;
    if ('kind' in outcome) {
      expect(count).toBeLessThanOrEqual(1);
      failedButExecuted += count;
    } else {
      expect(outcome).toMatchObject({ before: 0, after: 1 });
      expect(count).toBe(1);
    }
  }
  const increments = await Promise.all(clients.map(executedIncrements));
  expect(increments.reduce((sum, calls) => sum + calls, 0)).toBe(executed);
  // The proxies did cut after the server had counted.
  expect(failedButExecuted).toBeGreaterThan(0);
}

describeWithTools(['redis-server'], 'no hit counts twice', () => {
  it('when connections break between a call and its answer, on one Redis', async () => {
    const redis = open(await startRedis());
    const proxy = open(await startCuttingProxy(redis.port));
    const { store } = openStore(connectionToPort(proxy.port));
    await store.ready;
    const outcomes = await hitThroughProxies(store, [proxy]);
    await expectEachOnceOrNot(outcomes, () => redis.client, [redis.client]);
  });

  it.each([true, false])(
    'when connections break between a call and its answer, on a cluster, with script flags: %s',
    async (scriptFlags) => {
      const proxies = await Promise.all([0, 0, 0].map(async () => open(await startCuttingProxy())));
      const cluster = open(await startCluster({ announcedPorts: proxies.map(({ port }) => port) }));
      for (const [index, proxy] of proxies.entries()) proxy.target = cluster.nodes[index]?.port ?? 0;
      const seeds = proxies.map(({ port }) => ({ kind: 'tcp', host: '127.0.0.1', port }) as const);
      const { store } = openStore(connectionTo({ kind: 'cluster', seeds }), { scriptFlags });
      await store.ready;
      const outcomes = await hitThroughProxies(store, proxies);
      const clientOf = (key: string) => cluster.nodes[cluster.nodeOfSlot(clusterSlot(key))]?.client as Redis;
      await expectEachOnceOrNot(
        outcomes,
        clientOf,
        cluster.nodes.map(({ client }) => client),
      );
    },
  );

  it('F08: every counter has an expiry, however connections break', async () => {
    const redis = open(await startRedis());
    const proxy = open(await startCuttingProxy(redis.port));
    const { store } = openStore(connectionToPort(proxy.port));
    await store.ready;
    const outcomes = await hitThroughProxies(store, [proxy]);
    const stored = await redis.client.keys('*');
    expect(stored.length).toBeGreaterThan(
      [...outcomes.values()].filter((outcome) => !isStoreError(outcome)).length,
    );
    for (const key of stored) expect(await redis.client.pttl(key)).toBeGreaterThan(0);
  });

  it('F07: SCRIPT FLUSH under load fails no hit', async () => {
    const redis = open(await startRedis());
    const { store } = openStore(connectionToPort(redis.port));
    await store.ready;
    const key = freshKey();
    let sent = 0;
    for (let flush = 0; flush < 30; flush += 1) {
      const calls = Array.from({ length: 20 }, () => store.hit([hitOn(key, 1)], performance.now() + 5_000));
      sent += calls.length;
      const flushed = redis.client.script('FLUSH');
      for (const { states } of await Promise.all(calls))
        expect(isStoreError(states[0] as object)).toBe(false);
      await flushed;
    }
    expect(await storedCount(redis.client, key)).toBe(sent);
  });

  it.each([true, false])(
    'K02: a slot that moves to another node under load, with script flags: %s',
    async (scriptFlags) => {
      const cluster = open(await startCluster());
      const { store } = openStore(connectionToCluster(cluster), { scriptFlags });
      await store.ready;
      const tag = freshKey();
      const keys = Array.from({ length: 40 }, (_, index) => `${tag}:${index}`);
      const slot = clusterSlot(tag);
      const source = cluster.nodeOfSlot(slot);
      const target = (source + 1) % 3;
      const slidingKeys = Array.from({ length: 5 }, (_, index) => `${tag}:sliding${index}`);
      const taken = new Map<string, number>();
      const errors: object[] = [];
      const noteSliding = ({ key }: Hit, { states }: HitResult) => {
        if (!isStoreError(states[0] as object)) taken.set(key, (taken.get(key) ?? 0) + 1);
      };
      const note = (hits: readonly Hit[], { states }: HitResult) => {
        for (const [index, { key }] of hits.entries()) {
          const state = states[index] as object;
          if (isStoreError(state)) errors.push(state);
          else taken.set(key, (taken.get(key) ?? 0) + 1);
        }
      };
      let moved = false;
      const load = async () => {
        const hits = keys.map((key) => hitOn(key, 1, { limit: 2 ** 32 - 1 }));
        const sliding = slidingKeys.map((key) => hitOn(key, 1, { counting: slidingWindow(31_536_000) }));
        while (!moved) {
          const calls = hits.map(async (hit) =>
            note([hit], await store.hit([hit], performance.now() + 5_000)),
          );
          // Their counters are two keys each, which a node may have one of: they may get errors, and count nothing then.
          for (const hit of sliding) {
            calls.push(
              store.hit([hit], performance.now() + 5_000).then((result) => noteSliding(hit, result)),
            );
          }
          const group = hits.slice(0, 3);
          calls.push(
            store.hitUnlessDenied(group, performance.now() + 5_000).then((result) => note(group, result)),
          );
          await Promise.all(calls);
        }
      };
      const loads = [load(), load()];
      await waitUntil('every key was hit', () => taken.size === keys.length + slidingKeys.length);
      await moveSlot(slot, cluster, source, target);
      moved = true;
      await Promise.all(loads);
      expect(errors).toEqual([]);
      for (const key of keys) {
        expect(await storedCount(cluster.nodes[target]?.client as Redis, key)).toBe(taken.get(key));
      }
      for (const key of slidingKeys) {
        const halves = [`${key}0`, `${key}1`].map((half) =>
          storedCount(cluster.nodes[target]?.client as Redis, half),
        );
        expect((await Promise.all(halves)).reduce((sum, count) => sum + count, 0)).toBe(taken.get(key));
      }
    },
  );
});

/** What `redis-cli --cluster reshard` does for one slot, key by key. */
async function moveSlot(slot: number, cluster: RedisCluster, sourceIndex: number, targetIndex: number) {
  const source = cluster.nodes[sourceIndex]?.client as Redis;
  const target = cluster.nodes[targetIndex] as RedisServer;
  const [sourceId = '', targetId = ''] = [cluster.ids[sourceIndex], cluster.ids[targetIndex]];
  await target.client.call('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', sourceId);
  await source.call('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', targetId);
  for (;;) {
    const keys = (await source.call('CLUSTER', 'GETKEYSINSLOT', String(slot), '1')) as string[];
    if (keys.length === 0) break;
    await source.call('MIGRATE', '127.0.0.1', String(target.port), '', '0', '5000', 'KEYS', ...keys);
    // Leaves the load some turns while a part of the keys is here and a part there.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await target.client.call('CLUSTER', 'SETSLOT', String(slot), 'NODE', targetId);
  await source.call('CLUSTER', 'SETSLOT', String(slot), 'NODE', targetId);
}
