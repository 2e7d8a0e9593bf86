import { describe, expect, it } from 'vitest';
import type { CounterStore, HitResult } from '../../src/store/counter-store.ts';
import type { StoreError, StoreErrorKind } from '../../src/store/store-error.ts';
import { baseRules } from '../support/case-rules.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const yaml = baseRules;
const many = (count: number) => Array.from({ length: count }, (_, i) => `ip=${i}`);

describe('a request that its caller must change', () => {
  it.each([
    ['no domain', '', ['ip=1'], 'the domain must not be empty'],
    ['no descriptors', 'shop', [], 'at least one descriptor is needed'],
    ['too many descriptors', 'shop', many(1025), 'the request has more descriptors than the 1024 allowed'],
    ['too many entries', 'shop', [many(65).join(', ')], 'descriptor 0 has more entries than the 64 allowed'],
  ])('%s', async (_, domain, descriptors, message) => {
    const { ask } = limiterFixture({ yaml, domain });
    expect(await ask(descriptors)).toEqual({ kind: 'failure', code: 'INVALID_ARGUMENT', message });
  });

  it('X01: a limit without a unit, in a known domain or not, before anything is counted', async () => {
    for (const domain of ['shop', 'other']) {
      const { ask, events } = limiterFixture({ yaml, domain });
      const answer = await ask(['ip=1', descriptor('ip=1', { limit: [5, undefined] })]);
      expect(answer).toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('needs a unit'),
      });
      expect(events).toMatchObject([{ outcomes: [] }]);
    }
    const { ask, decide } = limiterFixture({ yaml });
    await ask(['ip=1', descriptor('ip=1', { limit: [5, undefined] })]);
    expect(printStatuses(await decide('ip=1'))).toEqual(['OK 2/3 30s']);
  });

  it('X01: a limit of 0 in the request denies', async () => {
    const { codes } = limiterFixture({ yaml });
    expect(await codes(2, descriptor('ip=1', { limit: [0, 'MINUTE'] }))).toBe('OVER OVER');
  });
});

describe('what an end user can choose is never an error', () => {
  it.each([
    ['a long value', `ip=${'x'.repeat(100_000)}`],
    ['control octets', 'ip=\0\r\n\x1b'],
    ['an empty value', 'ip='],
    ['no entries', ''],
  ])('%s', async (_, text) => {
    const { decide } = limiterFixture({ yaml });
    expect((await decide(text)).overallCode).toBe('OK');
  });
});

it('is unavailable before the first configuration', async () => {
  const { ask } = limiterFixture({ yaml, rules: () => undefined });
  expect(await ask(['ip=1'])).toMatchObject({ code: 'UNAVAILABLE' });
});

describe('when the store does not answer', () => {
  const failing = (kinds: readonly StoreErrorKind[], onHit = () => {}): CounterStore => {
    const states = kinds.map(
      (kind): StoreError => ({ kind, message: 'secret of the inside', node: '127.0.0.1:1' }),
    );
    const answer = async (): Promise<HitResult> => {
      onHit();
      return { states, counted: true };
    };
    return {
      hit: answer,
      hitUnlessDenied: answer,
      ready: Promise.resolve(),
      isConnected: () => false,
      close: () => Promise.resolve(),
    };
  };

  it.each([
    [['timeout'], 'UNAVAILABLE'],
    [['connection'], 'UNAVAILABLE'],
    [['memory'], 'UNAVAILABLE'],
    [['overload'], 'RESOURCE_EXHAUSTED'],
    [['overload', 'connection'], 'UNAVAILABLE'],
  ] as const)('%o is %s, and says nothing of the inside', async (kinds, code) => {
    const { ask, events } = limiterFixture({ yaml, store: failing(kinds) });
    const answer = await ask(kinds.map((_, i) => `ip=${i}`));
    expect(answer).toMatchObject({ kind: 'failure', code });
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(events).toMatchObject([{ storeErrors: kinds.map((kind) => ({ kind })), isLate: false }]);
  });

  it('after the deadline it is DEADLINE_EXCEEDED, and late', async () => {
    const clock = fakeClock();
    const store = failing(['timeout'], () => clock.advance(100));
    const { ask, events } = limiterFixture({ yaml, store, clock });
    const answer = await ask(['ip=1'], 0, clock.monotonic() + 50);
    expect(answer).toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: expect.stringContaining('did not answer'),
    });
    expect(events).toMatchObject([{ isLate: true }]);
  });

  it('is not asked when the caller leaves no time for it, and nothing is counted', async () => {
    const { ask, decide, clock, events } = limiterFixture({ yaml });
    expect(await ask(['ip=1'], 0, clock.monotonic() + 2)).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(events[0]?.isLate).toBe(false);
    expect(printStatuses(await decide('ip=1'))).toEqual(['OK 2/3 30s']);
  });

  it('is not missed by a request that needs no store, however little time there is', async () => {
    const { ask, clock } = limiterFixture({ yaml, store: failing([]) });
    expect(await ask(['none=1'], 0, clock.monotonic() + 1)).toMatchObject({
      kind: 'decision',
      overallCode: 'OK',
    });
  });
});
