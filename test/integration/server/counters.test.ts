import { describe, expect, it } from 'vitest';
import type { CounterChange } from '../../../src/domain/counter-report.ts';
import { createCounterAdministration } from '../../../src/limiter/counter-administration.ts';
import { createLogger } from '../../../src/log.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import { createCounterAudit } from '../../../src/telemetry/counter-audit.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { httpCall } from '../../support/http-call.ts';
import { rulesOf } from '../../support/limiter-fixture.ts';
import { debugToken, startDebugEdge } from './start-debug.ts';

const yaml = `
domain: shop
descriptors:
  - {key: account, rate_limit: {unit: day, requests_per_unit: 10}}
  - {key: api, rate_limits: [4/second, 20/day]}
`;
const bounds = { maxDescriptors: 1_024, maxEntries: 4 };
const descriptor = { entries: [{ key: 'account', value: 'a' }] };
const bearer = { authorization: `Bearer ${debugToken}` };

/** The debug listener with counters in memory; none of them can be reached where `away` is set. */
async function start({ isOpen = false, away = false } = {}) {
  const clock = fakeClock('2026-01-01T00:00:00Z');
  const memory = createMemoryStore({ clock, maxCounters: 100 });
  const fault = { kind: 'connection', message: 'the connection broke', node: 'redis:6379' } as const;
  const store = { ...memory, adjust: async () => fault };
  const rules = rulesOf(yaml);
  const metrics = createMetrics({ withProcess: false });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const audit = createCounterAudit(createLogger({ level: 'info', format: 'json', destination }));
  const options = { rules: () => rules, store: away ? store : memory, clock, bounds, onChange: () => {} };
  const edge = await startDebugEdge({
    ...(isOpen ? {} : { token: debugToken }),
    counters: {
      administer: createCounterAdministration(options),
      onChange: (change: CounterChange) => {
        metrics.onCounterChange(change);
        audit(change);
      },
    },
  });
  const post = async (operation: string, body: object | string, headers: Record<string, string> = bearer) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const path = `/counters/${operation}`;
    return httpCall({ address: edge.address, path, method: 'POST', headers, body: text });
  };
  return { ...edge, edgeLines: edge.lines, lines, post, page: async () => (await metrics.text()).body };
}

const asked = (rest: object = {}) => ({ domain: 'shop', descriptor, ...rest });

describe('/counters', () => {
  it('shows, grants and resets', async () => {
    const { post } = await start();
    const first = await post('get', asked());
    expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    const counter = { limit: '10 per day', key: 'v1{shop|account=a}86400', seconds_until_reset: 86_400 };
    expect(JSON.parse(first.body)).toEqual({
      domain: 'shop',
      descriptor,
      found: 'rule',
      rule: 'shop.account',
      counters: [{ ...counter, before: 0, used: 0, remaining: 10 }],
    });
    const granted = await post('grant', asked({ hits: 20 }));
    expect(JSON.parse(granted.body).counters).toEqual([{ ...counter, before: 0, used: -20, remaining: 30 }]);
    const reset = await post('reset', asked());
    expect(JSON.parse(reset.body).counters).toEqual([{ ...counter, before: -20, used: 0, remaining: 10 }]);
  });

  it('takes a limit as requests bring it', async () => {
    const { post } = await start();
    const own = { ...descriptor, limit: { requestsPerUnit: 3, unit: 'HOUR' } };
    const { body } = await post('get', { domain: 'shop', descriptor: own });
    expect(JSON.parse(body)).toMatchObject({ found: 'override', counters: [{ limit: '3 per hour' }] });
  });

  it.each<[operation: string, body: object | string, sentence: string]>([
    ['get', '', 'the body must be a JSON object'],
    ['get', '[]', 'the body must be a JSON object'],
    ['get', '{"domain":', 'the body must be a JSON object'],
    ['get', asked({ hit: 1 }), 'the body has a field that is not known; known are domain, descriptor, hits'],
    ['get', asked({ hits: 1 }), 'hits are for a grant only'],
    ['reset', asked({ hits: 1 }), 'hits are for a grant only'],
    ['grant', asked(), 'a grant needs hits'],
    ...[0, -1, 1.5, 2 ** 32, '5', null].map((hits): [string, object, string] => [
      'grant',
      asked({ hits }),
      'a grant needs hits',
    ]),
    ['get', { descriptor }, 'the domain must not be empty'],
    ['get', asked({ domain: 5 }), 'the body is no RateLimitRequest in JSON'],
    ['get', asked({ descriptor: 'account=a' }), 'the body is no RateLimitRequest in JSON'],
    ['get', asked({ descriptor: { ...descriptor, hitsAddend: 1 } }), 'the descriptor must not have hits'],
    ['get', asked({ descriptor: { ...descriptor, limit: { requestsPerUnit: 1 } } }), 'needs a unit'],
  ])('refuses %s of %j', async (operation, body, sentence) => {
    const { post, lines } = await start();
    const answer = await post(operation, body);
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining(sentence) });
    expect(lines).toEqual([]);
  });

  it('refuses more entries than a request may have', async () => {
    const { post } = await start();
    const many = { entries: Array.from({ length: 300 }, () => ({ key: 'k' })) };
    const { body } = await post('get', asked({ descriptor: many }));
    expect(body).toBe('descriptor 0 has more entries than the 256 allowed\n');
  });

  it('answers 503 with the kind of error where a counter can not be reached', async () => {
    const { post, lines, page } = await start({ away: true });
    const { status, body } = await post('reset', asked());
    expect(status).toBe(503);
    expect(JSON.parse(body).counters).toEqual([
      {
        limit: '10 per day',
        key: 'v1{shop|account=a}86400',
        error: { kind: 'connection', message: 'the connection broke' },
      },
    ]);
    expect(lines).toMatchObject([{ counters: [{ error: 'connection' }] }]);
    expect(await page()).toContain('weir_counter_changes_total{operation="reset"} 0');
  });
});

describe('who may', () => {
  it.each(['get', 'reset', 'grant'])('nobody %s, where nobody has to prove who he is', async (operation) => {
    const { post, edgeLines } = await start({ isOpen: true });
    const answer = await post(operation, asked({ hits: 5 }), {});
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('set DEBUG_TOKEN_FILE') });
    expect(edgeLines).toMatchObject([{ '@message': 'a debug page was refused' }]);
  });

  it.each(['get', 'reset', 'grant'])('who has the token may %s, and nobody else', async (operation) => {
    const { post } = await start();
    const body = operation === 'grant' ? asked({ hits: 5 }) : asked();
    expect(await post(operation, body, {})).toMatchObject({ status: 401, body: 'no token\n' });
    const wrong = { authorization: 'Bearer not-the-token-at-all' };
    expect(await post(operation, body, wrong)).toMatchObject({ status: 401, body: 'wrong token\n' });
    expect(JSON.parse((await post('get', asked())).body).counters).toMatchObject([{ used: 0 }]);
    expect(await post(operation, body)).toMatchObject({ status: 200 });
  });

  it('no page in a browser may, whatever the browser proves', async () => {
    const { post } = await start();
    const headers = { ...bearer, origin: 'https://evil.example' };
    expect(await post('reset', asked(), headers)).toMatchObject({ status: 403 });
  });

  it.each(['GET', 'PUT', 'DELETE'])('and only by POST: %s is 404', async (method) => {
    const { address } = await start();
    const path = '/counters/reset';
    await expect(httpCall({ address, path, method, headers: bearer })).resolves.toMatchObject({
      status: 404,
    });
  });
});

describe('the audit', () => {
  it('has a line for each change, none left out, and none for a look', async () => {
    const { post, lines, page } = await start();
    await post('get', asked());
    const api = { entries: [{ key: 'api', value: 'k\n"' }] };
    for (let time = 0; time < 3; time += 1) await post('grant', asked({ hits: 5 }));
    await post('reset', { domain: 'shop', descriptor: api });
    await post('reset', { domain: 'other', descriptor });
    const change = { level: 'warning', '@message': 'counters were changed', peer: '127.0.0.1' };
    const one = { limit: '10 per day', key: 'v1{shop|account=a}86400' };
    const granted = { ...change, operation: 'grant', hits: 5, domain: 'shop', descriptor: ['account=a'] };
    expect(lines).toMatchObject([
      { ...granted, rule: 'shop.account', counters: [{ ...one, before: 0, after: -5 }] },
      { ...granted, counters: [{ ...one, before: -5, after: -10 }] },
      { ...granted, counters: [{ ...one, before: -10, after: -15 }] },
      { ...change, operation: 'reset', descriptor: ['api=k\\x0a"'], counters: [{}, {}] },
    ]);
    expect(lines).toHaveLength(4);
    expect(await page()).toContain('weir_counter_changes_total{operation="grant"} 3');
    expect(await page()).toContain('weir_counter_changes_total{operation="reset"} 2');
  });
});
