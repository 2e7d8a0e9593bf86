import { afterAll, beforeAll } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { describeProfiles, emptyServers } from './profile-suite.ts';

describeWithTools(['redis-server'], 'conformance on Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  describeProfiles(async () => {
    await emptyServers([redis]);
    return { env: { BACKEND_TYPE: 'redis', REDIS_TYPE: 'SINGLE', REDIS_URL: redis.address } };
  });
});
