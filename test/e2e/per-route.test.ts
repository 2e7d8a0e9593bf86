import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import { type ClientCall, type Stack, startStack, withPatience } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

describeWithTools(['envoy'], 'hits, refunds, looks and overrides of a route', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      bootstrap: 'envoy-e2e-variants/per-route.yaml',
      limits: ['envoy-e2e-variants/limits/e2e-route.yaml'],
      edit: withPatience,
    });
  });
  afterAll(() => stack?.stop());

  const remaining = async (path: string, call?: ClientCall) => {
    const { status, headers } = await stack.call(path, call);
    expect(status).toBe(200);
    return headers['x-ratelimit-remaining'];
  };
  const cost = (value: string) => ({ headers: { 'x-cost': value } });

  /** What is left of a limit, asked past Envoy and without counting. */
  async function left(value: string): Promise<number> {
    const body = JSON.stringify({
      domain: 'e2e-route',
      descriptors: [{ entries: [{ key: 'generic_key', value }], hitsAddend: 0 }],
    });
    const answer = await httpCall({
      address: stack.weir().address('http'),
      path: '/json',
      method: 'POST',
      body,
    });
    return (
      (JSON.parse(answer.body) as { statuses: { limitRemaining?: number }[] }).statuses[0]?.limitRemaining ??
      0
    );
  }
  const waitForLeft = (value: string, expected: number) =>
    waitUntil(`${expected} left of ${value}`, async () => (await left(value)) === expected);

  it('hits come from a number, a header and metadata; 0 looks; a refund gives back', async () => {
    expect(await remaining('/cost-number')).toBe('17');
    expect(await remaining('/cost-format', cost('4'))).toBe('13');
    expect(await remaining('/cost-metadata', cost('6'))).toBe('7');
    expect(await remaining('/peek')).toBe('7');
    expect(await remaining('/refund')).toBe('9');
    expect(await remaining('/peek')).toBe('9');
  });

  it.each([[undefined], ['abc'], ['-4']])('a cost of %s makes no call', async (value) => {
    const before = await left('cost');
    expect(await remaining('/cost-format', value === undefined ? {} : cost(value))).toBeUndefined();
    expect(await left('cost')).toBe(before);
  });

  it('an override from metadata or a constant replaces the configured limit', async () => {
    const limit = async (path: string) => (await stack.call(path)).headers['x-ratelimit-limit'];
    expect(await limit('/override-metadata')).toBe('50, 50;w=60');
    expect(await limit('/override-constant')).toBe('7, 7;w=1');
  });

  it('a budget of response sizes: looked at before, charged after', async () => {
    stack.upstream.setHeaders({ 'x-tokens': '42' });
    expect(await remaining('/tokens')).toBe('100');
    await waitForLeft('tokens', 58);
    stack.upstream.setHeaders({ 'x-tokens': '60' });
    expect(await remaining('/tokens')).toBe('58');
    await waitForLeft('tokens', 0);
    stack.upstream.setHeaders({ 'x-tokens': '1' });
    expect((await stack.call('/tokens')).status).toBe(429);
    stack.upstream.setHeaders({});
  });

  it('a report at the end of the stream is a call of its own', async () => {
    const [plain, done] = [await left('plain'), await left('done')];
    expect(await remaining('/mixed')).toBe(String(plain - 1));
    await waitForLeft('done', done - 1);
    expect(await left('plain')).toBe(plain - 1);
  });

  it('hits of the whole request are in both of its calls', async () => {
    const [plain, done] = [await left('plain'), await left('done')];
    expect(await remaining('/', { port: 10001, headers: { 'x-hits': '5' } })).toBe(String(plain - 5));
    await waitForLeft('done', done - 5);
  });

  it('a descriptor without entries is a call, which passes and is told no limit', async () => {
    const name = 'cluster.upstream.ratelimit.ok';
    const calls = async () => (await stack.envoy.stats(`^${name}$`))[name] ?? 0;
    const before = await calls();
    expect(await remaining('/empty')).toBeUndefined();
    expect(await calls()).toBe(before + 1);
  });

  it('Envoy has counted no error', async () => {
    const name = 'cluster.upstream.ratelimit.error';
    expect((await stack.envoy.stats(`^${name}$`))[name] ?? 0).toBe(0);
  });
});
