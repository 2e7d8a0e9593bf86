import { afterAll, beforeAll } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisCluster, startCluster } from '../support/redis-cluster.ts';
import { replayProfiles } from './go-replay.ts';
import { emptyServers } from './profile-suite.ts';

describeWithTools(['replay', 'redis-server'], 'conformance by the Go client on Redis Cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());

  replayProfiles(async () => {
    await emptyServers(cluster.nodes);
    return { env: { BACKEND_TYPE: 'redis', REDIS_TYPE: 'CLUSTER', REDIS_URL: cluster.addresses } };
  });
});
