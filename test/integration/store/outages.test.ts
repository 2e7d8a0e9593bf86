import { expect, it } from 'vitest';
import type { CounterState, CounterStore } from '../../../src/store/counter-store.ts';
import { clusterSlot } from '../../../src/store/redis/cluster-slot.ts';
import { isStoreError } from '../../../src/store/store-error.ts';
import { freshKey, hitOn, inTime } from '../../case/counter-store.case.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { closeAfterEach } from '../../support/opened-stores.ts';
import { startCluster } from '../../support/redis-cluster.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { startRedis } from '../../support/redis-server.ts';
import { connectionTo, connectionToCluster, connectionToPort } from '../../support/redis-stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { open, openStore } = closeAfterEach();

async function stateOf(store: CounterStore, key: string, deadline = inTime()): Promise<object> {
  return (await store.hit([hitOn(key, 1)], deadline)).states[0] as object;
}

describeWithTools(['redis-server'], 'a Redis that goes and comes back', () => {
  it('F05: is used again after a restart, without one of the store', async () => {
    const redis = open(await startRedis());
    const { store, events } = openStore(connectionToPort(redis.port));
    await store.ready;
    await redis.kill();
    await waitUntil('the loss is noticed', () => !store.isConnected());
    expect(await stateOf(store, freshKey())).toMatchObject({ kind: 'connection' });
    await redis.restart();
    await waitUntil('hits are counted', async () => !isStoreError(await stateOf(store, freshKey())));
    const count = (kind: string) => events.filter((event) => event.kind === kind).length;
    expect(count('opened') - count('closed')).toBe(1);
  });

  it('READONLY: a master that became a replica is given up for a new connection', async () => {
    const redis = open(await startRedis());
    const { store, events } = openStore(connectionToPort(redis.port));
    await store.ready;
    await redis.client.call('REPLICAOF', '127.0.0.1', '1');
    expect(await stateOf(store, freshKey())).toMatchObject({ kind: 'readonly' });
    await waitUntil('the complaint', () => events.some((event) => event.kind === 'unusable'));
    await redis.client.call('REPLICAOF', 'NO', 'ONE');
    await waitUntil('hits are counted', async () => !isStoreError(await stateOf(store, freshKey())));
  });
});

describeWithTools(['redis-server', 'redis-sentinel', 'openssl'], 'Sentinels', () => {
  it.each([false, true])('F04: after a failover the new master counts, with TLS: %s', async (tls) => {
    const sentinels = open(await startSentinels({ password: 'pw', sentinelPassword: 'other', tls }));
    const addresses = sentinels.addresses.map((address) => {
      return { kind: 'tcp', host: '127.0.0.1', port: Number(address.split(':')[1]) } as const;
    });
    const { store } = openStore(
      connectionTo(
        { kind: 'sentinel', masterName: sentinels.masterName, sentinels: addresses },
        {
          auth: { username: undefined, password: 'pw' },
          sentinelAuth: { username: undefined, password: 'other' },
          tls: sentinels.certificates && {
            ca: sentinels.certificates.ca,
            cert: undefined,
            key: undefined,
            skipHostnameVerification: false,
          },
        },
      ),
    );
    await store.ready;
    const key = freshKey();
    expect(await stateOf(store, key)).toMatchObject({ after: 1, before: 0 });
    await waitUntil('the replica has it', async () => (await sentinels.replica.client.exists(key)) === 1);
    await sentinels.failover();
    // The old master may take some more hits before it is told, and loses them: replication is not waited for.
    await waitUntil('hits are counted on the new master', async () => {
      await stateOf(store, key);
      return Number(await sentinels.replica.client.get(key)) % 2 ** 33 >= 3;
    });
    await waitUntil('no more errors', async () => !isStoreError(await stateOf(store, key)));
  });
});

describeWithTools(['redis-server'], 'a cluster of which a part is gone', () => {
  it('F11: the other nodes go on, and the lost one is used when it is back', async () => {
    const cluster = open(await startCluster({ config: { 'cluster-require-full-coverage': 'no' } }));
    const { store } = openStore(connectionToCluster(cluster));
    await store.ready;
    for (const { client } of cluster.nodes) await client.config('RESETSTAT');
    const began = performance.now();
    const keys = Array.from({ length: 60 }, () => freshKey());
    const hitAll = async () =>
      (
        await store.hit(
          keys.map((key) => hitOn(key, 1)),
          inTime(),
        )
      ).states;
    expect((await hitAll()).filter(isStoreError)).toEqual([]);
    await cluster.nodes[0]?.kill();
    await waitUntil('the loss is noticed', async () => (await hitAll()).some(isStoreError));
    const states = await hitAll();
    expect(states.filter(isStoreError).length).toBeLessThan(keys.length / 2);
    for (const error of states.filter(isStoreError)) expect(error.kind).toMatch(/connection|cluster/);
    await cluster.nodes[0]?.restart();
    await waitUntil('all hits are counted', async () => !(await hitAll()).some(isStoreError));
    // However many hits failed, the nodes are asked for their slots a few times a second at most.
    const stats = await Promise.all(cluster.nodes.slice(1).map(({ client }) => client.info('commandstats')));
    const looks = stats.map((text) => Number(/cmdstat_cluster\|slots:calls=(\d+)/.exec(text)?.[1] ?? 0));
    const mostLooks = (performance.now() - began) / 250 + 5;
    expect(looks.reduce((sum, calls) => sum + calls, 0)).toBeLessThanOrEqual(mostLooks);
  });

  it('slots that no node has yet hold back readiness, and nothing else', async () => {
    const cluster = open(await startCluster({ config: { 'cluster-require-full-coverage': 'no' } }));
    const hidden = freshKey();
    const owner = cluster.nodeOfSlot(clusterSlot(hidden));
    const slot = String(clusterSlot(hidden));
    for (const { client } of cluster.nodes) await client.call('CLUSTER', 'DELSLOTS', slot);
    const { store } = openStore(connectionToCluster(cluster));
    let isReady = false;
    void store.ready.then(() => {
      isReady = true;
    });
    const others = Array.from({ length: 60 }, () => freshKey()).filter(
      (key) => String(clusterSlot(key)) !== slot,
    );
    await waitUntil('the other slots count', async () => {
      const { states } = await store.hit(
        others.map((key) => hitOn(key, 1)),
        inTime(),
      );
      return !states.some(isStoreError);
    });
    expect(isReady).toBe(false);
    expect(await stateOf(store, hidden)).toMatchObject({ kind: expect.stringMatching(/connection|cluster/) });
    await cluster.nodes[owner]?.client.call('CLUSTER', 'ADDSLOTS', slot);
    await store.ready;
    await waitUntil('its hits are counted', async () => !isStoreError(await stateOf(store, hidden)));
  });

  it('a replica takes the place of a master that is gone, with its counts', async () => {
    const cluster = open(await startCluster({ withReplicas: true }));
    const { store } = openStore(connectionToCluster(cluster));
    await store.ready;
    const keys = Array.from({ length: 30 }, () => freshKey());
    const hitAll = async () =>
      (
        await store.hit(
          keys.map((key) => hitOn(key, 1, { limit: 1_000_000 })),
          inTime(),
        )
      ).states;
    expect((await hitAll()).filter(isStoreError)).toEqual([]);
    const ofFirst = keys.filter((key) => cluster.nodeOfSlot(clusterSlot(key)) === 0);
    const [master, replica] = [cluster.nodes[0], cluster.replicas[0]];
    await waitUntil(
      'the replica has the counts',
      async () => (await replica?.client.dbsize()) === ofFirst.length,
    );
    await master?.kill();
    await waitUntil('the loss is noticed', async () => (await hitAll()).some(isStoreError));
    await waitUntil('all hits are counted', async () => !(await hitAll()).some(isStoreError), 20_000);
    const counts = (await hitAll()).map((state) => (state as CounterState).before);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
    // The old master comes back as a replica, which changes nothing.
    await master?.restart();
    await waitUntil(
      'it follows',
      async () => (await master?.client.info('replication'))?.includes('role:slave') === true,
    );
    expect((await hitAll()).filter(isStoreError)).toEqual([]);
  });

  it('K04: all nodes come back at other addresses', async () => {
    const proxies = await Promise.all([0, 0].map(async () => open(await startCuttingProxy())));
    const cluster = open(await startCluster({ masters: 2 }));
    for (const [index, proxy] of proxies.entries()) proxy.target = cluster.nodes[index]?.port ?? 0;
    const seeds = proxies.map(({ port }) => ({ kind: 'tcp', host: '127.0.0.1', port }) as const);
    const { store } = openStore(connectionTo({ kind: 'cluster', seeds }));
    await store.ready;
    // The seeds lead to another cluster now, as names do after a move; the nodes known so far are gone.
    const moved = open(await startCluster({ masters: 2 }));
    for (const [index, proxy] of proxies.entries()) proxy.target = moved.nodes[index]?.port ?? 0;
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    for (const proxy of proxies) proxy.cutAll();
    const keys = Array.from({ length: 20 }, () => freshKey());
    await waitUntil('all hits are counted', async () => {
      const { states } = await store.hit(
        keys.map((key) => hitOn(key, 1)),
        inTime(),
      );
      return !states.some(isStoreError);
    });
  });
});
