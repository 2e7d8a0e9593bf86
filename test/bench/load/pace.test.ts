import { describe, expect, it } from 'vitest';
import { closedPace, openPace } from './pace.ts';

const forever = Number.POSITIVE_INFINITY;
const everyTenMs = () => {
  let moment = 0;
  return () => {
    moment += 10;
    return moment;
  };
};

describe('the pace of a closed loop', () => {
  it('has a call at any time, until there were enough', () => {
    const pace = closedPace({ calls: 2, seconds: forever });
    expect([pace.take(0), pace.take(0), pace.isOver, pace.take(5), pace.isOver]).toEqual([
      ...[0, 0, false],
      ...[undefined, true],
    ]);
  });

  it('has none after its time', () => {
    const pace = closedPace({ calls: forever, seconds: 1 });
    expect([pace.take(999), pace.take(1000), pace.isOver, pace.take(999)]).toEqual([
      ...[999, undefined, true],
      undefined,
    ]);
  });
});

describe('the pace of an open loop', () => {
  it('has each call from its moment on, and says which that was however late it is asked', () => {
    const pace = openPace(everyTenMs(), { calls: forever, seconds: forever });
    expect([pace.take(9), pace.take(10), pace.take(11)]).toEqual([undefined, 10, undefined]);
    expect([pace.take(1000), pace.take(1000), pace.take(1000)]).toEqual([20, 30, 40]);
  });

  it('ends with its last call or with its time', () => {
    const byCalls = openPace(everyTenMs(), { calls: 1, seconds: forever });
    expect([byCalls.isOver, byCalls.take(50), byCalls.take(50), byCalls.isOver]).toEqual([
      ...[false, 10],
      ...[undefined, true],
    ]);
    const byTime = openPace(everyTenMs(), { calls: forever, seconds: 0.015 });
    expect([byTime.take(50), byTime.isOver, byTime.take(50)]).toEqual([10, true, undefined]);
  });
});
