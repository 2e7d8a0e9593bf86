import { expect, it } from 'vitest';
import { baseRules } from '../../support/case-rules.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { httpCall } from '../../support/http-call.ts';
import { startRedis } from '../../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';

const secret = 'hunter2-s3cr3t';

/** Everything that can be read of a running service. */
async function seen(weir: RunningWeir): Promise<string> {
  const pages = [
    { address: weir.address('http'), path: '/metrics' },
    { address: weir.address('http'), path: '/readyz' },
    { address: weir.address('debug'), path: '/' },
    { address: weir.address('debug'), path: '/rlconfig' },
    {
      address: weir.address('http'),
      path: '/json',
      method: 'POST',
      body: JSON.stringify({ domain: 'shop', descriptors: [{ entries: [{ key: 'ip', value: 'x' }] }] }),
    },
  ];
  const bodies = await Promise.all(pages.map(async (page) => (await httpCall(page)).body));
  return [...bodies, ...weir.lines].join('\n');
}

describeWithTools(['redis-server'], 'X05: a password is never seen', () => {
  it.each([
    ['right', secret, true],
    ['wrong', 'another', false],
  ])('when it is %s', async (_, password, isReady) => {
    await using redis = await startRedis({ password });
    for (const env of [
      { REDIS_URL: `redis://:${secret}@${redis.address}` },
      { REDIS_URL: redis.address, REDIS_AUTH: secret },
      { REDIS_URL: redis.address, REDIS_AUTH: `default:${secret}` },
    ]) {
      await using weir = await startWeir({
        rules: { 'shop.yaml': baseRules },
        env: { ...env, LOG_LEVEL: 'trace', STORE_WAIT: '1ms' },
      });
      const word = isReady ? 'connected to the store' : 'cannot be used';
      await waitUntil('a line about the store', () =>
        weir.log().some((line) => String(line['@message']).includes(word)),
      );
      expect(await seen(weir)).not.toContain(secret);
    }
  });

  it('when Redis cannot be reached, or its address is wrong', async () => {
    await using weir = await startWeir({
      rules: { 'shop.yaml': baseRules },
      env: { REDIS_URL: `redis://user:${secret}@127.0.0.1:1`, LOG_LEVEL: 'trace', STORE_WAIT: '1ms' },
    });
    await waitUntil('a line about the store', () =>
      weir.log().some((line) => String(line['@message']).includes('cannot be used')),
    );
    expect(await seen(weir)).not.toContain(secret);
    const failed = startWeir({
      rules: { 'shop.yaml': baseRules },
      env: { REDIS_URL: `redis://user:${secret}@host:port` },
    });
    await expect(failed).rejects.toSatisfy((error: Error) => !error.message.includes(secret));
  });
});
