import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type Stack, startStack, withPatience } from '../support/start-stack.ts';
import { waitUntil } from '../support/wait-until.ts';

describeWithTools(['envoy'], 'statuses that Envoy is told to give to a refusal', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ bootstrap: 'envoy-e2e-variants/statuses.yaml', edit: withPatience });
    for (let i = 0; i < 5; i++) expect((await stack.call('/generic')).status).toBe(200);
  });
  afterAll(() => stack?.stop());

  /** This listener waits 20 ms for an answer, and lets the request pass without one: on a busy machine, ask again. */
  const refusedOnDefaults = (headers: Record<string, string> = {}, status = 429) =>
    waitUntil('a refusal within 20 ms', async () => {
      const answer = await stack.call('/generic', { port: 10001, headers });
      return answer.status === status && answer.body !== 'upstream' ? answer : undefined;
    });

  it('a status, and a header of its own instead of those of Envoy', async () => {
    const { status, headers } = await stack.call('/generic');
    expect(status).toBe(403);
    const port = stack.envoy.listener(10000).split(':').at(-1);
    expect(headers['x-refused-by']).toBe(port);
    const names = Object.keys(headers).filter((name) => /^x-(envoy-ratelimited|ratelimit-)/.test(name));
    expect(names).toEqual([]);
  });

  it('by default 429, and Retry-After when asked for: the seconds to the reset', async () => {
    const { headers } = await refusedOnDefaults();
    expect(headers).toMatchObject({
      'x-envoy-ratelimited': 'true',
      'x-ratelimit-limit': '5, 5;w=3600;name="basic-hourly"',
      'x-ratelimit-remaining': '0',
    });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['retry-after']).toBe(headers['x-ratelimit-reset']);
  });

  it('a gRPC client gets a status of gRPC', async () => {
    const grpc = { 'content-type': 'application/grpc', te: 'trailers' };
    const strict = await stack.call('/generic', { method: 'POST', headers: grpc });
    expect(strict.status).toBe(200);
    expect(strict.headers['grpc-status']).toBe('8');
    const defaults = await refusedOnDefaults(grpc, 200);
    expect(defaults.headers['grpc-status']).toBe('14');
  });
});
