import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import type { HttpAnswer } from '../support/http-call.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';

describeWithTools(['envoy'], 'Envoy asks Weir for each route of its bootstrap', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ bootstrap: 'envoy-e2e.yaml', edit: withPatience });
  });
  afterAll(() => stack?.stop());

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const withKey = (key: string) => ({ headers: { 'x-api-key': key } });

  /** Status and `x-ratelimit-remaining` of so many calls, one after another. */
  async function callTimes(times: number, path: string, call: { headers?: Record<string, string> } = {}) {
    const answers: [status: number, remaining: string | undefined][] = [];
    for (let i = 0; i < times; i++) {
      const { status, headers } = await stack.call(path, call);
      answers.push([status, headers['x-ratelimit-remaining'] as string | undefined]);
    }
    return answers;
  }

  it('a constant: the sixth of five is refused with every header that Envoy makes of the answer', async () => {
    const before = stack.upstream.requests.length;
    expect(await callTimes(5, '/generic')).toEqual([
      [200, '4'],
      [200, '3'],
      [200, '2'],
      [200, '1'],
      [200, '0'],
    ]);
    const refused = await stack.call('/generic');
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'x-envoy-ratelimited': 'true',
      'x-ratelimit-limit': '5, 5;w=3600;name="basic-hourly"',
      'x-ratelimit-remaining': '0',
    });
    expectReset(refused, 3600);
    expect(refused.body).toBe('');
    expect(stack.upstream.requests.length - before).toBe(5);
  });

  it('the client address: each has its own count', async () => {
    expect(await callTimes(4, '/ip', from('203.0.113.7'))).toEqual([
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
    expect(await callTimes(1, '/ip', from('203.0.113.8'))).toEqual([[200, '2']]);
  });

  it('an unlimited address passes, and is told no limit', async () => {
    expect(await callTimes(5, '/ip', from('203.0.113.200'))).toEqual(Array(5).fill([200, undefined]));
  });

  it('a limit of 0 refuses at once', async () => {
    const refused = await stack.call('/ip', from('203.0.113.99'));
    expect(refused.status).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('0, 0;w=3600');
  });

  it('a shadow rule counts and never refuses', async () => {
    expect(await callTimes(4, '/ip', from('203.0.113.50'))).toEqual([
      [200, '1'],
      [200, '0'],
      [200, '0'],
      [200, '0'],
    ]);
  });

  it('a header: absent there is no call, present its value is counted', async () => {
    const calls = async () =>
      (await stack.envoy.stats('^cluster.ratelimit.upstream_rq_total$'))[
        'cluster.ratelimit.upstream_rq_total'
      ];
    const before = await calls();
    expect(await callTimes(2, '/header')).toEqual(Array(2).fill([200, undefined]));
    expect(await calls()).toBe(before);
    expect(await callTimes(5, '/header', withKey('k1'))).toEqual([
      [200, '3'],
      [200, '2'],
      [200, '1'],
      [200, '0'],
      [429, '0'],
    ]);
  });

  it('a header that is not valid UTF-8 is limited, octet by octet', async () => {
    // Sent as latin1: k and one octet; the last is U+FFFD in UTF-8, which a replacing decoder would make of the others.
    for (const key of ['k\xff', 'k\xfe', 'k\xef\xbf\xbd']) {
      const answers = await callTimes(5, '/header', withKey(key));
      expect(answers.map(([status]) => status)).toEqual([200, 200, 200, 200, 429]);
    }
  });

  it('a pattern counts each value by itself', async () => {
    const first = await stack.call('/header', withKey('free-one'));
    expect(first.headers['x-ratelimit-limit']).toBe('1000, 1000;w=86400');
    expect(await callTimes(1, '/header', withKey('free-one'))).toEqual([[200, '998']]);
    expect(await callTimes(1, '/header', withKey('free-two'))).toEqual([[200, '999']]);
  });

  it('two descriptors in one call: the strictest refuses, both count', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1', 'x-api-key': 'combo' };
    const first = await stack.call('/combo', { headers });
    expect(first.headers['x-ratelimit-limit']).toBe(
      '2, 10;w=3600;name="combo-ip", 2;w=86400;name="combo-key"',
    );
    expect(await callTimes(2, '/combo', { headers })).toEqual([
      [200, '0'],
      [429, '0'],
    ]);
    // Without the header the second descriptor is left out; the first has counted the refused call too.
    expect(await callTimes(1, '/combo', from('198.51.100.1'))).toEqual([[200, '6']]);
  });

  it('any other path is not limited', async () => {
    expect(await callTimes(2, '/free')).toEqual(Array(2).fill([200, undefined]));
  });

  it('Envoy has counted no error', async () => {
    const stats = await stack.envoy.stats('^cluster.upstream.ratelimit.');
    expect(stats['cluster.upstream.ratelimit.ok']).toBeGreaterThan(0);
    expect(stats['cluster.upstream.ratelimit.over_limit']).toBeGreaterThan(0);
    expect(stats['cluster.upstream.ratelimit.error'] ?? 0).toBe(0);
  });
});

/** More than 0 and at most the window. */
function expectReset({ headers }: HttpAnswer, windowSeconds: number): void {
  const reset = Number(headers['x-ratelimit-reset']);
  expect(reset).toBeGreaterThan(0);
  expect(reset).toBeLessThanOrEqual(windowSeconds);
}
