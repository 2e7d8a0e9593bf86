import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { type HttpCall, httpCall } from '../../support/http-call.ts';
import { type RunningNginx, startNginx } from '../../support/start-nginx.ts';
import { startUpstream, type Upstream } from '../../support/start-upstream.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { root } from '../repository/repository.ts';

describeWithTools(['nginx'], 'examples/nginx/nginx.conf', () => {
  let weir: RunningWeir;
  let upstream: Upstream;
  let nginx: RunningNginx;
  /** Waits long for Weir, so that a busy machine does not turn an answer into none. */
  let patient: RunningNginx;
  beforeAll(async () => {
    upstream = await startUpstream();
    weir = await startWeir({ rules: join(root, 'examples/config'), env: { BACKEND_TYPE: 'memory' } });
    const config = join(root, 'examples/nginx/nginx.conf');
    const replaced = { '127.0.0.1:8080': weir.address('http'), '127.0.0.1:3000': upstream.address };
    nginx = await startNginx({ config, replaced });
    patient = await startNginx({ config, replaced: { ...replaced, ' 100ms;': ' 9s;', ' 300ms;': ' 9s;' } });
  });
  afterAll(async () => {
    await Promise.all([nginx?.stop(), patient?.stop(), weir?.stop(), upstream?.stop()]);
  });

  const call = (path: string, parts: Partial<HttpCall> = {}) =>
    httpCall({ address: patient.address, path, ...parts });
  const asUser = (user: string, parts: Partial<HttpCall> = {}) =>
    call('/', { headers: { 'x-user-id': user }, ...parts });

  /** What is left of a user's limit: a look past nginx. */
  async function leftOf(value: string): Promise<number | undefined> {
    const descriptors = [{ entries: [{ key: 'user', value }], hitsAddend: 0 }];
    const body = JSON.stringify({ domain: 'api', descriptors });
    const answer = await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
    const { statuses } = JSON.parse(answer.body) as { statuses: { limitRemaining?: number }[] };
    return statuses[0]?.limitRemaining;
  }

  describe('with answers', () => {
    it('what passes reaches the service, and the client is told the tighter limit', async () => {
      const answer = await asUser('ann');
      expect(answer).toMatchObject({ status: 200, body: 'upstream', headers: { 'ratelimit-limit': '100' } });
      expect(Number(answer.headers['ratelimit-reset'])).toBeGreaterThan(0);
      expect(answer.headers).not.toHaveProperty('retry-after');
      expect(await leftOf('ann')).toBe(999);
      expect(upstream.requests.at(-1)).toMatchObject({ path: '/', headers: { 'x-user-id': 'ann' } });
    });

    it.each([
      ['a body', { method: 'POST', body: 'x'.repeat(100_000) }],
      ['a body of unknown length', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }],
      ['30 kB of headers', { headers: { a: 'x'.repeat(7_500), b: 'x'.repeat(7_500), c: 'x'.repeat(7_500) } }],
      ['words of Weir', { headers: { 'x-ratelimit-domain': 'no', 'x-ratelimit-descriptor': 'no' } }],
      ['a query that looks like that of Weir', { path: '/?domain=no&descriptor=no=1&hits=0' }],
    ])('%s changes nothing of what is asked', async (what, parts: Partial<HttpCall>) => {
      const headers = { ...parts.headers, 'x-user-id': what };
      const answer = await call('/', { ...parts, headers });
      expect(answer.headers['ratelimit-limit']).toBe('100');
      expect(await leftOf(what)).toBe(999);
    });

    it.each([
      ['a comma', 'bob,role=admin'],
      ['signs of a query', 'bob&hits=0#?%2C+%'],
      ['8 kB', 'b'.repeat(8_000)],
    ])('a user with %s is that user', async (_what, user) => {
      expect((await asUser(user)).headers['ratelimit-limit']).toBe('100');
      expect(await leftOf(user)).toBe(999);
    });

    it('without a user there is the limit of the address', async () => {
      expect((await call('/')).headers['ratelimit-limit']).toBe('100');
    });

    it('a refusal is 429, with Retry-After and JSON, and does not reach the service', async () => {
      let count = 0;
      const refused = await waitUntil('a refusal', async () => {
        count += 1;
        const answer = await call(`/login?${count}`);
        return answer.status === 429 && answer;
      });
      const { headers } = refused;
      expect(headers).toMatchObject({ 'ratelimit-limit': '5', 'ratelimit-remaining': '0' });
      expect(headers['retry-after']).toMatch(/^([1-9]|10)$/);
      expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
      expect(headers['content-type']).toBe('application/json');
      const seconds = Number(headers['retry-after']);
      expect(JSON.parse(refused.body)).toEqual({
        error: 'rate_limit_exceeded',
        message: `Rate limit exceeded. Try again in ${seconds} s.`,
        limit: 5,
        retry_after: seconds,
      });
      expect(upstream.requests.at(-1)?.path).toBe(`/login?${count - 1}`);
    });

    it.each(['/weir/client', '/weir/login'])('%s is not for clients', async (path) => {
      expect((await call(path)).status).toBe(404);
    });
  });

  describe('without', () => {
    const impatient = () => ({ address: nginx.address });

    async function expectOpenAndClosed(): Promise<void> {
      const open = await asUser('carl', impatient());
      expect(open).toMatchObject({ status: 200, body: 'upstream' });
      expect(open.headers).not.toHaveProperty('ratelimit-limit');
      const before = upstream.requests.length;
      expect((await call('/login', impatient())).status).toBe(503);
      expect(upstream.requests).toHaveLength(before);
    }

    it('Weir hangs: / passes after its own time, /login does not', async () => {
      weir.signal('SIGSTOP');
      await expectOpenAndClosed();
      weir.signal('SIGCONT');
      await waitUntil('an answer', async () => {
        const { headers } = await asUser('carl', impatient());
        return 'ratelimit-limit' in headers;
      });
    });

    it('Weir is gone: the same', async () => {
      await weir.stop();
      await expectOpenAndClosed();
    });
  });
});
