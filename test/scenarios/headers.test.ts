import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import { headerRules } from '../support/case-rules.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';

const yaml = headerRules;
const responseHeaders = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
};
const fixture = (options = {}) => limiterFixture({ yaml, responseHeaders, ...options });

function print({ responseHeaders }: Decision): string {
  return responseHeaders.map(({ name, value }) => `${name}=${value}`).join(' ');
}

it('H01: a denial describes the descriptor that denies, with the time until that one is renewed', async () => {
  const { decide } = fixture();
  for (let i = 0; i < 4; i++) await decide('a=1');
  for (let i = 0; i < 3; i++) await decide('b=1');
  const denied = await decide('a=1', 'b=1');
  expect(denied.overallCode).toBe('OVER_LIMIT');
  expect(print(denied)).toBe('RateLimit-Limit=3 RateLimit-Remaining=0 RateLimit-Reset=3570 Retry-After=3570');
  expect(printStatuses(denied)).toEqual(['OK 55/60 30s', 'OVER 0/3 3570s']);
});

it('H01: with COUNT_DENIED=false the others report what is left without the request', async () => {
  const { decide } = fixture({ countDenied: false });
  for (let i = 0; i < 4; i++) await decide('a=1');
  for (let i = 0; i < 3; i++) await decide('b=1');
  expect(printStatuses(await decide('a=1', 'b=1'))).toEqual(['OK 56/60 30s', 'OVER 0/3 3570s']);
});

it('H03: a shadow rule is never described', async () => {
  const { decide } = fixture();
  await decide('trial=1', 'real=1');
  const second = await decide('trial=1', 'real=1');
  expect(second.overallCode).toBe('OK');
  expect(print(second)).toBe('RateLimit-Limit=100 RateLimit-Remaining=98 RateLimit-Reset=30');
  expect(print(await decide('trial=1'))).toBe('');
});

describe('H04: Retry-After', () => {
  it('is at least 1 when denied at the end of a window', async () => {
    const { decide } = fixture({ time: '2026-01-01T00:00:59.700Z' });
    expect(print(await decide('m=1'))).not.toContain('Retry-After');
    expect(print(await decide('m=1'))).toContain('RateLimit-Reset=1 Retry-After=1');
  });

  it('is absent when a shadow rule is over, and in global shadow mode', async () => {
    const { decide } = fixture();
    for (let i = 0; i < 4; i++) expect(print(await decide('dry=1', 'real=1'))).not.toContain('Retry-After');
    const shadowed = fixture({ shadowMode: true });
    for (let i = 0; i < 3; i++) expect(print(await shadowed.decide('m=1'))).not.toContain('Retry-After');
  });
});

describe('H06: statuses are complete', () => {
  it('for each matched descriptor, in order', async () => {
    const { decide } = fixture({ time: '2026-01-01T23:59:00Z' });
    const { statuses } = await decide('burst=1', 'none=1', 'steady=1', 'd=1');
    expect(statuses).toEqual([
      {
        code: 'OK',
        currentLimit: { requestsPerUnit: 10, windowSeconds: 1, unit: 'SECOND', name: 'burst' },
        limitRemaining: 9,
        secondsUntilReset: 1,
      },
      { code: 'OK', currentLimit: undefined, limitRemaining: 0, secondsUntilReset: 0 },
      {
        code: 'OK',
        currentLimit: { requestsPerUnit: 1000, windowSeconds: 60, unit: 'MINUTE', name: 'steady' },
        limitRemaining: 999,
        secondsUntilReset: 60,
      },
      {
        code: 'OK',
        currentLimit: { requestsPerUnit: 1, windowSeconds: 86_400, unit: 'DAY', name: '' },
        limitRemaining: 0,
        secondsUntilReset: 60,
      },
    ]);
  });

  it('also when the deny cache answers', async () => {
    const { decide, events, clock } = fixture({ denyCache: { maxBytes: 100_000, lookAgainMs: 500 } });
    await decide('m=1');
    await decide('m=1');
    clock.advance(400);
    const denied = await decide('m=1');
    expect(events.at(-1)?.outcomes[0]?.fromDenyCache).toBe(true);
    expect(printStatuses(denied)).toEqual(['OVER 0/1 30s']);
    expect(denied.statuses[0]?.currentLimit?.unit).toBe('MINUTE');
  });
});

describe('the body of a denial', () => {
  it('is off unless asked for, and only on denial', async () => {
    expect((await fixture().decide('m=1')).denialBody).toBeUndefined();
    const { decide } = fixture({ denialBody: { kind: 'json' } });
    expect((await decide('m=1')).denialBody).toBeUndefined();
  });

  it('is JSON with the limit and the seconds to wait', async () => {
    const { decide } = fixture({ denialBody: { kind: 'json' } });
    await decide('m=1');
    const body = (await decide('m=1')).denialBody;
    expect(body?.contentType).toBe('application/json');
    expect(JSON.parse(body?.text ?? '')).toMatchObject({
      error: 'rate_limit_exceeded',
      limit: 1,
      retry_after: 30,
    });
  });

  it('is a template with placeholders', async () => {
    const template = 'Slow down: {limit} per {window} s, wait {retry_after} s. {unknown}';
    const { decide } = fixture({
      responseHeaders: undefined,
      denialBody: { kind: 'template', template, contentType: 'text/plain' },
    });
    await decide('m=1');
    const text = 'Slow down: 1 per 60 s, wait 30 s. {unknown}';
    expect((await decide('m=1')).denialBody).toEqual({ contentType: 'text/plain', text });
  });
});
