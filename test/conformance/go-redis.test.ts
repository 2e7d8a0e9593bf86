import { afterAll, beforeAll } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { replayProfiles } from './go-replay.ts';
import { emptyServers } from './profile-suite.ts';

describeWithTools(['replay', 'redis-server'], 'conformance by the Go client on Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  replayProfiles(async () => {
    await emptyServers([redis]);
    return { env: { BACKEND_TYPE: 'redis', REDIS_TYPE: 'SINGLE', REDIS_URL: redis.address } };
  });
});
