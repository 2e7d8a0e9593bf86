import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import type { HttpAnswer } from '../support/http-call.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

describeWithTools(['envoy'], 'N12: a window of 5 minutes, as the client of Envoy sees it', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      bootstrap: 'envoy-e2e.yaml',
      limits: ['envoy-e2e-windows.yaml'],
      edit: withPatience,
    });
  });
  afterAll(() => stack?.stop());

  function expectLimit({ headers }: HttpAnswer, remaining: string): void {
    // With a unit it would be `4, 4;w=3600`: Envoy has no number of seconds for a unit that it does not know.
    expect(headers['x-ratelimit-limit']).toBe('4');
    expect(headers['x-ratelimit-remaining']).toBe(remaining);
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(300);
  }

  it('N12: the limit stands without a window, on what passes and on what is refused', async () => {
    const passed = await stack.call('/generic');
    expect(passed.status).toBe(200);
    expectLimit(passed, '3');
    // The window may end while it is used up: then there is another.
    const refused = await waitUntil('a refusal', async () => {
      const answer = await stack.call('/generic');
      return answer.status === 429 ? answer : undefined;
    });
    expectLimit(refused, '0');
  });
});
