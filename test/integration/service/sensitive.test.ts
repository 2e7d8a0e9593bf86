import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { httpCall } from '../../support/http-call.ts';
import { startRedis } from '../../support/redis-server.ts';
import { startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { callWeir } from './call-weir.ts';

const secret = 'a secret that replicas share';
const limit = 'detailed_metric: true, rate_limit: {unit: day, requests_per_unit: 1}';

async function keyFile(content: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-key-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'key'), content);
  return join(directory, 'key');
}

describeWithTools(['redis-server'], 'sensitive values, as they leave the process', () => {
  it.each([
    ['of a rule', 'domain: shop', {}, 'sensitive: true, '],
    ['of a domain', 'domain: shop\nsensitive: true', {}, ''],
    ['of all', 'domain: shop', { SENSITIVE_VALUES: 'true' }, ''],
  ])('%s', async (_, top, env, mark) => {
    await using redis = await startRedis();
    const rules = { 'shop.yaml': `${top}\ndescriptors: [{key: user, ${mark}${limit}}]` };
    const replica = (key: Record<string, string>) =>
      startWeir({ rules, env: { REDIS_URL: redis.address, LOG_LEVEL: 'trace', ...env, ...key } });
    await using first = await replica({ SENSITIVE_HASH_KEY: secret });
    await using second = await replica({ SENSITIVE_HASH_KEY_FILE: await keyFile(`${secret}\n`) });

    expect(await callWeir(first, 'user=alice-4711')).toMatchObject({ response: { overallCode: 'OK' } });
    for (const weir of [first, second]) {
      const answer = await callWeir(weir, 'user=alice-4711', 'user=alice-4711,x=y');
      expect(answer).toMatchObject({ response: { overallCode: 'OVER_LIMIT' } });
      await waitUntil('a line about the denial', () =>
        weir.log().some((line) => line['@message'] === 'over limit'),
      );
    }
    const keys = await redis.client.keys('*');
    expect(keys).toEqual([expect.stringMatching(/^v1\{shop\|user=#~[\w-]{43}\}86400$/)]);
    for (const weir of [first, second]) {
      const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
      expect(body).toMatch(/total_hits\{domain="shop",key1="user_#~[\w-]{16}"\} \d/);
      const seen = [body, ...weir.lines].join('\n');
      expect(seen).not.toContain('alice');
      expect(seen).not.toContain(secret);
    }
  });
});

it('a file with the key that is not there ends the start with a sentence', async () => {
  const rules = { 'shop.yaml': 'domain: shop\ndescriptors: []' };
  const env = { BACKEND_TYPE: 'memory', SENSITIVE_HASH_KEY_FILE: '/no/such/key' };
  await expect(startWeir({ rules, env })).rejects.toThrow(
    'SENSITIVE_HASH_KEY_FILE: /no/such/key cannot be read (ENOENT)',
  );
});
