import { expect, it } from 'vitest';
import type { StoreErrorKind } from '../store-error.ts';
import { Breaker } from './breaker.ts';
import type { BreakerChange } from './store-event.ts';

function fixture() {
  const changes: BreakerChange[] = [];
  const breaker = new Breaker({ node: 'a:6379', onChange: (change) => changes.push(change) });
  const fail = (hits: number, now: number, kind: StoreErrorKind = 'timeout') => {
    breaker.failed(hits, { kind, message: 'no answer', node: 'a:6379' }, now);
  };
  return { breaker, changes, fail };
}

it.each([
  ['nineteen failures', { succeeded: 0, failed: 19 }, 'closed'],
  ['twenty failures', { succeeded: 0, failed: 20 }, 'open'],
  ['half of twenty results', { succeeded: 10, failed: 10 }, 'open'],
  ['less than half', { succeeded: 11, failed: 10 }, 'closed'],
])('%s', (_, { succeeded, failed }, state) => {
  const { breaker, fail } = fixture();
  breaker.succeeded(succeeded, 5_000);
  fail(failed, 5_000);
  expect(breaker.state).toBe(state);
});

it('looks at one second', () => {
  const { breaker, fail } = fixture();
  fail(10, 5_000);
  fail(10, 6_000);
  expect(breaker.state).toBe('closed');
  fail(10, 6_400);
  expect(breaker.state).toBe('open');
});

it.each(['overload', 'breaker', 'data', 'other'] satisfies StoreErrorKind[])(
  'says nothing of the node: %s',
  (kind) => {
    const { breaker, fail } = fixture();
    fail(1_000, 5_000, kind);
    expect(breaker.state).toBe('closed');
  },
);

it('tells each change and its cause', () => {
  const { breaker, changes, fail } = fixture();
  fail(20, 5_000, 'loading');
  expect(breaker.refusal(5_999)).toEqual({
    kind: 'breaker',
    message: 'not asked, after: no answer',
    node: 'a:6379',
  });
  expect(breaker.refusal(6_000)).toBeUndefined();
  breaker.sending(6_000);
  expect(breaker.refusal(6_001)).toMatchObject({ kind: 'breaker' });
  fail(1, 6_250);
  breaker.sending(7_000);
  breaker.succeeded(3, 7_001);
  expect(changes.map(({ from, to, cause }) => [from, to, cause])).toEqual([
    ['closed', 'open', 'loading'],
    ['open', 'half-open', 'probe'],
    ['half-open', 'open', 'timeout'],
    ['open', 'half-open', 'probe'],
    ['half-open', 'closed', 'answered'],
  ]);
  expect(breaker.refusal(7_001)).toBeUndefined();
});

it('asks again when a call that was to find out has brought no result at all', () => {
  const { breaker, fail } = fixture();
  fail(20, 5_000);
  breaker.sending(6_000);
  expect(breaker.refusal(6_999)).toBeDefined();
  expect(breaker.refusal(7_000)).toBeUndefined();
});

it('forgets what was when it closes', () => {
  const { breaker, changes, fail } = fixture();
  fail(20, 5_000);
  breaker.reset();
  fail(19, 5_100);
  expect(breaker.state).toBe('closed');
  expect(changes.at(-1)).toMatchObject({ to: 'closed', cause: 'connected' });
});
