import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import { fixedWindow } from '../../../src/domain/counting.ts';
import type { Hit } from '../../../src/domain/hit.ts';
import type { CounterStore } from '../../../src/store/counter-store.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import { clusterSlot } from '../../../src/store/redis/cluster-slot.ts';
import { isStoreError } from '../../../src/store/store-error.ts';
import { countsOf, freshKey, hitOn, inTime } from '../../case/counter-store.case.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { closeAfterEach } from '../../support/opened-stores.ts';
import { type RedisCluster, startCluster } from '../../support/redis-cluster.ts';
import { connectionToCluster, connectionToPort, type ObservedStore } from '../../support/redis-stores.ts';

/** So long that no test meets a boundary. */
const year = 31_536_000;

const { openStore } = closeAfterEach();

describeWithTools(['redis-server'], 'requests whose counters lie on several nodes', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  const keyOn = (node: number): string => {
    for (;;) {
      const key = freshKey(year);
      if (cluster.nodeOfSlot(clusterSlot(key)) === node) return key;
    }
  };
  const hit = (key: string, cost: number, rest: Partial<Hit> = {}) =>
    hitOn(key, cost, { counting: fixedWindow(year), ...rest });
  const connected = async (scriptFlags: boolean): Promise<ObservedStore> => {
    const observed = openStore(connectionToCluster(cluster), { scriptFlags });
    await observed.store.ready;
    return observed;
  };
  const countAll = async (store: CounterStore, keys: readonly string[]) => {
    const looks = keys.map((key) => hit(key, 0));
    return countsOf((await store.hit(looks, inTime())).states);
  };

  it.each([true, false])(
    'N06: refunds for 3 descriptors in different slots all land, with script flags: %s',
    async (scriptFlags) => {
      const { store } = await connected(scriptFlags);
      const keys = [keyOn(0), keyOn(1), keyOn(2)];
      await store.hit(
        keys.map((key) => hit(key, 10)),
        inTime(),
      );
      const refunds = keys.map((key, index) => hit(key, -4 * index - 3));
      expect(countsOf((await store.hit(refunds, inTime())).states)).toEqual([
        { before: 10, after: 7 },
        { before: 10, after: 3 },
        { before: 10, after: 0 },
      ]);
      const stored = keys.map(async (key, node) =>
        Number(BigInt((await cluster.nodes[node]?.client.get(key)) ?? '-1') % 2n ** 33n),
      );
      expect(await Promise.all(stored)).toEqual([7, 3, 0]);
    },
  );

  it.each([true, false])(
    'a denied request leaves a counter that it took from and gave back to, with script flags: %s',
    async (scriptFlags) => {
      const { store } = await connected(scriptFlags);
      const [key, other] = [keyOn(0), keyOn(1)];
      const request = [
        hit(key, 3),
        hit(key, -3, { denies: 'never' }),
        hit(key, 2),
        hit(other, 1, { limit: 0 }),
      ];
      expect(await store.hitUnlessDenied(request, inTime())).toMatchObject({ counted: false });
      await expect
        .poll(() => countAll(store, [key, other]))
        .toEqual([
          { before: 0, after: 0 },
          { before: 0, after: 0 },
        ]);
    },
  );

  it.each([true, false])(
    'N02: random requests leave what they leave in one place, with script flags: %s',
    async (scriptFlags) => {
      const { store, events } = await connected(scriptFlags);
      const model = createMemoryStore({ clock: systemClock, maxCounters: 100_000 });
      const anyHit = fc.record({
        counter: fc.integer({ min: 0, max: 5 }),
        cost: fc.integer({ min: -4, max: 5 }),
        limit: fc.constantFrom(0, 2, 5, 10, 20),
        denies: fc.constantFrom('always', 'together', 'never', 'never'),
      });
      const anyRequest = fc.record({
        request: fc.array(anyHit, { minLength: 1, maxLength: 7 }),
        grant: fc.option(
          fc.record({ counter: fc.integer({ min: 0, max: 5 }), hits: fc.integer({ min: 1, max: 9 }) }),
        ),
      });
      const anyRequests = fc.array(anyRequest, { minLength: 1, maxLength: 12 });
      const property = fc.asyncProperty(anyRequests, async (requests) => {
        const keys = Array.from({ length: 6 }, (_, index) => keyOn(index % 3));
        for (const { request, grant } of requests) {
          if (grant !== null) {
            const granted = hit(keys[grant.counter] as string, 0);
            const adjustment = { kind: 'grant', hits: grant.hits } as const;
            await store.adjust(granted, adjustment, inTime());
            await model.adjust(granted, adjustment, inTime());
          }
          const hits = request.map(({ counter, cost, ...rest }) => hit(keys[counter] as string, cost, rest));
          const [ours, expected] = await Promise.all([
            store.hitUnlessDenied(hits, inTime()),
            model.hitUnlessDenied(hits, inTime()),
          ]);
          expect(ours.counted).toBe(expected.counted);
          expect(countsOf(ours.states)).toEqual(countsOf(expected.states));
          const left = await countAll(model, keys);
          await expect.poll(() => countAll(store, keys), { interval: 2 }).toEqual(left);
        }
      });
      await fc.assert(property, { numRuns: 60 });
      expect(events.filter(({ kind }) => kind === 'error' || kind === 'compensation-lost')).toEqual([]);
    },
    60_000,
  );

  it.each([true, false])(
    'a store for a single Redis says of a node what it is, with script flags: %s',
    async (scriptFlags) => {
      const { store, events } = openStore(connectionToPort(cluster.nodes[0]?.port ?? 0), { scriptFlags });
      await store.ready;
      const hits = [0, 0, 1, 2, 2].map((node) => hit(keyOn(node), 1));
      const calls = hits.map((one) => store.hit([one], inTime()));
      const states = (await Promise.all(calls)).map((result) => result.states[0] as object);
      const elsewhere = states.filter(isStoreError);
      expect(elsewhere.length).toBeGreaterThanOrEqual(3);
      for (const { kind, message } of elsewhere) {
        expect(kind).toBe('cluster');
        expect(message).toMatch(/the node is in cluster mode: set REDIS_TYPE=CLUSTER$/);
      }
      const counted = events.reduce((sum, event) => sum + (event.kind === 'error' ? event.hits : 0), 0);
      expect(counted).toBe(elsewhere.length);
      const group = await store.hitUnlessDenied(hits, inTime());
      expect(group.states.filter(isStoreError)).toHaveLength(hits.length);
    },
  );
});
