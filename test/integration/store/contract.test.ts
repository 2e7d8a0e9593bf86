import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixedWindow } from '../../../src/domain/counting.ts';
import { adjustContract } from '../../case/adjust.case.ts';
import { algorithmsContract } from '../../case/algorithms.case.ts';
import {
  counterStoreContract,
  freshKey,
  hitOn,
  inTime,
  type StoreUnderTest,
} from '../../case/counter-store.case.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type RedisCluster, startCluster } from '../../support/redis-cluster.ts';
import { type RedisSentinels, startSentinels } from '../../support/redis-sentinel.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import type { ObservedStore } from '../../support/redis-stores.ts';
import {
  connectionTo,
  connectionToCluster,
  connectionToPort,
  observedStore,
} from '../../support/redis-stores.ts';

/** The store, and the server that belongs to this suite alone. */
function underTest({ store }: ObservedStore, server?: AsyncDisposable): StoreUnderTest {
  return {
    store,
    dispose: async () => {
      await store.close();
      await server?.[Symbol.asyncDispose]();
    },
  };
}

describeWithTools(['redis-server'], 'one Redis', () => {
  let redis: RedisServer;
  let second: RedisServer;
  beforeAll(async () => {
    [redis, second] = await Promise.all([startRedis(), startRedis()]);
  });
  afterAll(() => Promise.all([redis.stop(), second.stop()]));

  counterStoreContract('Redis standalone', async () =>
    underTest(observedStore(connectionToPort(redis.port))),
  );

  counterStoreContract('Redis without script flags, as before 7', async () =>
    underTest(observedStore(connectionToPort(redis.port), { scriptFlags: false })),
  );

  algorithmsContract('Redis standalone', async () => underTest(observedStore(connectionToPort(redis.port))));

  adjustContract('Redis standalone', async () => underTest(observedStore(connectionToPort(redis.port))));

  adjustContract('Redis without script flags', async () =>
    underTest(observedStore(connectionToPort(redis.port), { scriptFlags: false })),
  );

  algorithmsContract('Redis without script flags', async () =>
    underTest(observedStore(connectionToPort(redis.port), { scriptFlags: false })),
  );

  counterStoreContract('Redis on a unix socket', async () => {
    const address = { kind: 'unix', path: redis.socketPath } as const;
    return underTest(observedStore(connectionTo({ kind: 'standalone', address })));
  });

  counterStoreContract('Redis with another for windows of a second', async () => {
    const perSecond = connectionToPort(second.port);
    return underTest(observedStore(connectionToPort(redis.port), { perSecond }));
  });

  it('windows of a second are counted on the Redis for them', async () => {
    const perSecond = connectionToPort(second.port);
    const { store, events } = observedStore(connectionToPort(redis.port), { perSecond });
    await store.ready;
    const hits = [
      hitOn(freshKey(), 1),
      hitOn(freshKey(1), 1, { counting: fixedWindow(1), isPerSecond: true }),
    ];
    const [hourly, secondly] = hits.map(({ key }) => key) as [string, string];
    const { states } = await store.hit(hits, inTime());
    expect(states).toMatchObject([{ after: 1 }, { after: 1 }]);
    expect(await second.client.exists(hourly)).toBe(0);
    expect(await redis.client.exists(hourly)).toBe(1);
    expect(await redis.client.exists(secondly)).toBe(0);
    const granted = hitOn(freshKey(), 0, { isPerSecond: true });
    expect(await store.adjust(granted, { kind: 'grant', hits: 2 }, inTime())).toMatchObject({ after: -2 });
    expect(await second.client.exists(granted.key)).toBe(1);
    expect(await redis.client.exists(granted.key)).toBe(0);
    // Everything that is told says which Redis it is about.
    const nodes = { redis: redis.address, perSecond: second.address };
    for (const event of events) expect(event.node).toBe(nodes[event.pool]);
    expect(new Set(events.map(({ pool, kind }) => `${pool} ${kind}`))).toEqual(
      new Set(['opened', 'usable', 'call'].flatMap((kind) => [`redis ${kind}`, `perSecond ${kind}`])),
    );
    await store.close();
  });
});

describeWithTools(['redis-server', 'openssl'], 'Redis with TLS and ACL', () => {
  const makeStore = async () => {
    const user = 'weir on >s3cret ~test:* +eval +evalsha +time +get +set +incrby +del +info +client';
    const redis = await startRedis({ tls: true, password: 'admin', config: { user } });
    const tls = {
      ca: redis.certificates?.ca,
      cert: undefined,
      key: undefined,
      skipHostnameVerification: false,
    };
    const auth = { username: 'weir', password: 's3cret' };
    const port = Number(redis.tlsAddress.split(':')[1]);
    return underTest(observedStore(connectionToPort(port, { tls, auth })), redis);
  };

  counterStoreContract('Redis with TLS and ACL', makeStore);

  adjustContract('Redis with TLS and ACL', makeStore);
});

describeWithTools(['redis-server', 'redis-sentinel'], 'Redis behind Sentinels', () => {
  counterStoreContract('Redis behind Sentinels', async () => {
    const sentinels: RedisSentinels = await startSentinels({ password: 'pw', sentinelPassword: 'other' });
    const addresses = sentinels.addresses.map((address) => {
      return { kind: 'tcp', host: '127.0.0.1', port: Number(address.split(':')[1]) } as const;
    });
    const { masterName } = sentinels;
    const connection = connectionTo(
      { kind: 'sentinel', masterName, sentinels: addresses },
      {
        auth: { username: undefined, password: 'pw' },
        sentinelAuth: { username: undefined, password: 'other' },
      },
    );
    return underTest(observedStore(connection), sentinels);
  });
});

describeWithTools(['redis-server'], 'K02: Redis Cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  counterStoreContract('Redis Cluster', async () => underTest(observedStore(connectionToCluster(cluster))));

  algorithmsContract('Redis Cluster', async () => underTest(observedStore(connectionToCluster(cluster))));

  adjustContract('Redis Cluster', async () => underTest(observedStore(connectionToCluster(cluster))));

  adjustContract('Redis Cluster without script flags', async () =>
    underTest(observedStore(connectionToCluster(cluster), { scriptFlags: false })),
  );

  algorithmsContract('Redis Cluster without script flags', async () =>
    underTest(observedStore(connectionToCluster(cluster), { scriptFlags: false })),
  );

  counterStoreContract('Redis Cluster without script flags, grouped by slot', async () =>
    underTest(observedStore(connectionToCluster(cluster), { scriptFlags: false })),
  );
});
