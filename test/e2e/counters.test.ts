import { afterAll, beforeAll, expect, it } from 'vitest';
import { runWeir } from '../integration/cli/run-weir.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';

const token = 'correct-horse-battery-staple';

describeWithTools(['envoy'], 'a client behind Envoy whose counter is changed', () => {
  let stack: Stack;
  beforeAll(async () => {
    const env = { DEBUG_TOKEN: token };
    stack = await startStack({ bootstrap: 'envoy-e2e.yaml', edit: withPatience, env });
  });
  afterAll(() => stack?.stop());

  const counters = (operation: string, ...args: string[]) => {
    const address = `http://${stack.weir().address('debug')}`;
    const all = ['counters', operation, '-d', 'e2e', '-a', address, ...args, 'api_key=k1'];
    return runWeir(all, { DEBUG_TOKEN: token });
  };
  const statuses = async (times: number) => {
    const all: number[] = [];
    for (let time = 0; time < times; time += 1) {
      all.push((await stack.call('/header', { headers: { 'x-api-key': 'k1' } })).status);
    }
    return all.join(' ');
  };

  it('is refused, let through by a grant for as much, refused, and let through by a reset', async () => {
    expect(await statuses(6)).toBe('200 200 200 200 429 429');
    // Denials are mostly answered from memory, and not counted.
    expect((await counters('get')).out).toMatch(/4 per hour: [56] used, 0 left/);
    expect((await counters('grant', '--hits', '6')).out).toMatch(/[56] used before, -2 now, 6 left/);
    const { headers } = await stack.call('/header', { headers: { 'x-api-key': 'k1' } });
    expect(headers).toMatchObject({ 'x-ratelimit-remaining': '5' });
    expect(await statuses(6)).toBe('200 200 200 200 200 429');
    expect((await counters('reset')).out).toContain('5 used before, 0 now, 4 left');
    expect(await statuses(5)).toBe('200 200 200 200 429');
  });
});
