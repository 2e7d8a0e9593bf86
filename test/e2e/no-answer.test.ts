import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type Stack, startStack } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

// Listener 10000 refuses a request that Weir gave no answer for, after at most 100 ms; 10001 lets it pass after 20 ms.
describeWithTools(['envoy', 'redis-server'], 'Envoy without an answer of Weir', () => {
  let redis: RedisServer;
  let stack: Stack;
  beforeAll(async () => {
    redis = await startRedis();
    stack = await startStack({
      bootstrap: 'envoy-e2e-variants/statuses.yaml',
      env: { BACKEND_TYPE: 'redis', REDIS_TYPE: 'SINGLE', REDIS_URL: redis.address },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await redis?.stop();
  });

  const errors = async () => {
    const stats = await stack.envoy.stats('^cluster.upstream.ratelimit.');
    return {
      error: stats['cluster.upstream.ratelimit.error'] ?? 0,
      passed: stats['cluster.upstream.ratelimit.failure_mode_allowed'] ?? 0,
    };
  };

  /** One call to each listener: fail closed, then fail open; Envoy counts both. */
  async function expectNoAnswer(): Promise<void> {
    const before = await errors();
    const closed = await stack.call('/header', { headers: { 'x-api-key': 'closed' } });
    expect(closed.status).toBe(503);
    expect(await errors()).toEqual({ error: before.error + 1, passed: before.passed });
    const open = await stack.call('/header', { port: 10001, headers: { 'x-api-key': 'open' } });
    expect(open.status).toBe(200);
    expect(open.body).toBe('upstream');
    expect(open.headers['x-ratelimit-limit']).toBeUndefined();
    expect(await errors()).toEqual({ error: before.error + 2, passed: before.passed + 1 });
  }

  async function expectAnswersAgain(): Promise<void> {
    await waitUntil('an answer', async () => {
      const { headers } = await stack.call('/header', { port: 10001, headers: { 'x-api-key': 'again' } });
      return headers['x-ratelimit-limit'] !== undefined;
    });
  }

  it('Redis is gone: Weir answers UNAVAILABLE, and counts again when it is back', async () => {
    await expectAnswersAgain();
    await redis.kill();
    await expectNoAnswer();
    await redis.restart();
    await expectAnswersAgain();
  });

  it('Weir hangs: Envoy gives up after its own time', async () => {
    stack.weir().signal('SIGSTOP');
    await expectNoAnswer();
    stack.weir().signal('SIGCONT');
    await expectAnswersAgain();
  });

  it('Weir is stopped, and started again', async () => {
    await stack.weir().stop();
    await expectNoAnswer();
    await stack.restartWeir();
    await expectAnswersAgain();
  });
});
