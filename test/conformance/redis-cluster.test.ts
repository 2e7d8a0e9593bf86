import { afterAll, beforeAll } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisCluster, startCluster } from '../support/redis-cluster.ts';
import { describeProfiles, emptyServers } from './profile-suite.ts';

describeWithTools(['redis-server'], 'conformance on Redis Cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());

  describeProfiles(async () => {
    await emptyServers(cluster.nodes);
    return { env: { BACKEND_TYPE: 'redis', REDIS_TYPE: 'CLUSTER', REDIS_URL: cluster.addresses } };
  });
});
