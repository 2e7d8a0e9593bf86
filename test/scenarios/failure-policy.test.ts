import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import type { FailurePolicy } from '../../src/domain/failure-policy.ts';
import type { LimiterOptions } from '../../src/limiter/limiter.ts';
import type { CounterStore } from '../../src/store/counter-store.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { StoreError, StoreErrorKind } from '../../src/store/store-error.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { limiterFixture } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

/** A store of which some counters can't be reached: those whose key holds the word. */
function breakingStore(clock = fakeClock()) {
  const memory = createMemoryStore({ clock, maxCounters: 1_000 });
  let unreachable = '|lost';
  let kind: StoreErrorKind = 'timeout';
  const hide = (...[hits, deadline]: Parameters<CounterStore['hit']>) =>
    hits.map(async (hit) => {
      if (unreachable !== '' && hit.key.includes(unreachable)) {
        return { kind, message: 'gone', node: 'a:1' } satisfies StoreError;
      }
      const { states } = await memory.hit([hit], deadline);
      return states[0] as object;
    });
  const hit: CounterStore['hit'] = async (hits, deadline) => {
    return { states: (await Promise.all(hide(hits, deadline))) as never, counted: true };
  };
  const store: CounterStore = { ...memory, hit, hitUnlessDenied: hit };
  return {
    store,
    clock,
    lose: (word: string) => {
      unreachable = word;
    },
    as: (other: StoreErrorKind) => {
      kind = other;
    },
  };
}

const yaml = `
domain: shop
descriptors:
  - {key: there, rate_limit: {unit: minute, requests_per_unit: 2}}
  - {key: lost, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: lost_deny, failure_policy: deny, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: lost_error, failure_policy: error, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: lost_local, failure_policy: local, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: lost_allow, failure_policy: allow, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: lost_shadow, failure_policy: deny, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: lost_quota, failure_policy: deny, quota_mode: true, rate_limit: {unit: minute, requests_per_unit: 4}}
  - {key: quota, quota_mode: true, rate_limit: {unit: minute, requests_per_unit: 4}}
  - key: lost_above
    failure_policy: deny
    descriptors:
      - {key: own, failure_policy: allow, rate_limit: {unit: minute, requests_per_unit: 4}}
      - {key: none, rate_limit: {unit: minute, requests_per_unit: 4}}
`;

function fixture(options: Partial<LimiterOptions> = {}, rules = yaml) {
  const breaking = breakingStore();
  const limiter = limiterFixture({ yaml: rules, store: breaking.store, ...options, clock: breaking.clock });
  /** The overall code, or the code of the failure; and the policy that it is by. */
  const outcome = async (...descriptors: Parameters<typeof limiter.ask>[0]) => {
    const answer = await limiter.ask(descriptors);
    const policy = limiter.events.at(-1)?.policy;
    return [answer.kind === 'decision' ? answer.overallCode : answer.code, policy];
  };
  return { ...breaking, ...limiter, outcome };
}

describe('while a counter cannot be reached', () => {
  it.each<[FailurePolicy, string]>([
    ['deny', 'OVER_LIMIT'],
    ['error', 'UNAVAILABLE'],
    ['local', 'OK'],
    ['allow', 'OK'],
  ])('policy %s for all gives %s', async (failurePolicy, code) => {
    const { outcome } = fixture({ failurePolicy });
    expect(await outcome('lost=1')).toEqual([code, failurePolicy]);
  });

  it.each<[FailurePolicy, string]>([
    ['deny', 'OVER_LIMIT'],
    ['error', 'UNAVAILABLE'],
    ['local', 'OK'],
    ['allow', 'OK'],
  ])('policy %s of the rule gives %s, whatever holds for all', async (policy, code) => {
    for (const failurePolicy of ['deny', 'error', 'local', 'allow'] as const) {
      const { outcome } = fixture({ failurePolicy });
      expect(await outcome(`lost_${policy}=1`)).toEqual([code, policy]);
    }
  });

  it('a rule has the policy of the nearest rule above it', async () => {
    const { outcome } = fixture();
    expect(await outcome(descriptor('lost_above=1, own=1'))).toEqual(['OK', 'allow']);
    expect(await outcome(descriptor('lost_above=1, none=1'))).toEqual(['OVER_LIMIT', 'deny']);
  });

  it('a domain has one for its rules and for limits that requests bring', async () => {
    const { outcome } = fixture({}, `failure_policy: allow\n${yaml.trim()}`);
    expect(await outcome('lost=1')).toEqual(['OK', 'allow']);
    expect(await outcome('lost_error=1')).toEqual(['UNAVAILABLE', 'error']);
    expect(await outcome(descriptor('lost=1', { limit: [3, 'HOUR'] }))).toEqual(['OK', 'allow']);
  });

  it.each([
    [['lost_allow=1', 'lost_local=1'], 'OK', 'local'],
    [['lost_allow=1', 'lost_local=1', 'lost_error=1'], 'UNAVAILABLE', 'error'],
    [['lost_allow=1', 'lost_local=1', 'lost_error=1', 'lost_deny=1'], 'OVER_LIMIT', 'deny'],
  ])('of several the strictest applies: %j', async (descriptors, code, policy) => {
    expect(await fixture().outcome(...descriptors)).toEqual([code, policy]);
  });

  it('a counter that is reached and over denies whatever the policy', async () => {
    const { outcome } = fixture({ failurePolicy: 'error' });
    for (let used = 0; used < 2; used += 1) await outcome('there=1');
    expect(await outcome('there=1', 'lost=1')).toEqual(['OVER_LIMIT', undefined]);
    expect(await outcome('there=2', 'lost=1')).toEqual(['UNAVAILABLE', 'error']);
  });

  it('a shadow rule neither denies nor is in the way', async () => {
    expect(await fixture().outcome('lost_shadow=1', 'there=1')).toEqual(['OK', 'allow']);
  });

  it('a quota that denies leaves it to another that is left', async () => {
    const { outcome } = fixture();
    expect(await outcome('lost_quota=1')).toEqual(['OVER_LIMIT', 'deny']);
    expect(await outcome('lost_quota=1', 'quota=1')).toEqual(['OK', 'deny']);
    expect(await outcome('lost_quota=1', 'quota=1', 'lost_error=1')).toEqual(['UNAVAILABLE', 'error']);
  });

  it('hits that cannot be given back are told to the caller, not denied', async () => {
    const refund = (key: string) => descriptor(`${key}=1`, { hits: 1, refund: true });
    expect(await fixture().outcome(refund('lost_deny'))).toEqual(['UNAVAILABLE', 'error']);
    expect(await fixture().outcome(refund('lost_allow'))).toEqual(['OK', 'allow']);
  });

  it('global shadow mode denies nothing by policy either', async () => {
    const { ask, events } = fixture({ failurePolicy: 'deny', shadowMode: true });
    expect(await ask(['lost=1'])).toMatchObject({ overallCode: 'OK' });
    expect(events.at(-1)).toMatchObject({ policy: 'deny', shadowed: true });
  });

  it('the policy is for overload as well', async () => {
    const { outcome, as } = fixture({ failurePolicy: 'allow' });
    as('overload');
    expect(await outcome('lost=1')).toEqual(['OK', 'allow']);
  });

  it('the policy is for callers that leave no time, too', async () => {
    const { ask, clock, events } = fixture({ failurePolicy: 'allow' });
    const noTime = clock.monotonic() + 1;
    expect(await ask(['there=1'], 0, noTime)).toMatchObject({ overallCode: 'OK' });
    expect(events.at(-1)?.policy).toBe('allow');
    const other = fixture();
    expect(await other.ask(['there=1'], 0, noTime)).toMatchObject({ code: 'DEADLINE_EXCEEDED' });
  });

  it('what needs no counter needs no policy', async () => {
    const { outcome } = fixture({ failurePolicy: 'deny' });
    expect(await outcome('unknown=1')).toEqual(['OK', undefined]);
  });
});

describe('the answer by policy', () => {
  const statuses = async (asked: ReturnType<typeof fixture>, ...texts: string[]) =>
    ((await asked.ask(texts)) as Decision).statuses;

  it('allow: describes no limit, as nobody knows what remains', async () => {
    expect(await statuses(fixture(), 'lost_allow=1', 'there=1')).toMatchObject([
      { code: 'OK', currentLimit: undefined, limitRemaining: 0, secondsUntilReset: 0 },
      { code: 'OK', limitRemaining: 1 },
    ]);
  });

  it('deny: the limit, nothing left, and a second to wait', async () => {
    const names = { limit: 'limit', remaining: 'remaining', reset: 'reset' };
    const asked = fixture({ responseHeaders: names });
    const decision = (await asked.ask(['lost_deny=1'])) as Decision;
    expect(decision.statuses).toMatchObject([
      { code: 'OVER_LIMIT', currentLimit: { requestsPerUnit: 4 }, limitRemaining: 0, secondsUntilReset: 1 },
    ]);
    expect(decision.responseHeaders).toContainEqual({ name: 'Retry-After', value: '1' });
  });

  it('local: counts here, with a share of the limit, until the window ends', async () => {
    const asked = fixture({ localShare: 1 / 3 });
    const first = await statuses(asked, 'lost_local=1');
    expect(first).toMatchObject([
      { code: 'OK', currentLimit: { requestsPerUnit: 4 }, limitRemaining: 1, secondsUntilReset: 30 },
    ]);
    const codes = [];
    for (let call = 0; call < 3; call += 1) codes.push((await asked.outcome('lost_local=1'))[0]);
    expect(codes).toEqual(['OK', 'OVER_LIMIT', 'OVER_LIMIT']);
    expect((await asked.outcome('lost_local=2'))[0]).toBe('OK');
    asked.clock.advance(60_000);
    expect((await asked.outcome('lost_local=1'))[0]).toBe('OK');
  });

  it('is marked in dynamic metadata', async () => {
    const { ask } = fixture({ dynamicMetadata: true });
    expect(await ask(['lost_allow=1'])).toMatchObject({ dynamicMetadata: { failurePolicy: 'allow' } });
    const whole = (await ask(['there=1'])) as Decision;
    expect(whole.dynamicMetadata).not.toHaveProperty('failurePolicy');
  });

  it('a request whose store is back is counted there again', async () => {
    const { lose, outcome } = fixture({ failurePolicy: 'local' });
    await outcome('lost=1');
    lose('');
    for (let used = 0; used < 4; used += 1) expect(await outcome('lost=1')).toEqual(['OK', undefined]);
    expect(await outcome('lost=1')).toEqual(['OVER_LIMIT', undefined]);
  });
});
