import { describe, expect, it } from 'vitest';
import { Admission } from './admission.ts';

const options = { node: 'a:6379', maxHitsPerCall: 100, maxCallsInFlight: 2, maxWaitingHits: 1_000 };

/** After calls that took so long. */
function admission(ms: number): Admission {
  const made = new Admission(options);
  for (let call = 0; call < 100; call += 1) made.answered(ms);
  return made;
}

describe('a hit may wait', () => {
  it.each([
    ['with nothing before it, however slow the node was', 99, 1_000, 1, true],
    ['when it is answered in time', 400, 10, 31, true],
    ['not when it is not', 400, 10, 29, false],
    ['not when too much waits in any case', 1_000, 0, 1_000, false],
  ])('%s', (_, waiting, callMs, leftMs, expected) => {
    expect(admission(callMs).refusal(waiting, 1, leftMs) === undefined).toBe(expected);
  });

  it('a group larger than all that may wait goes alone', () => {
    expect(admission(1).refusal(0, 5_000, 100)).toBeUndefined();
    expect(admission(1).refusal(100, 5_000, 100)).toMatchObject({ kind: 'overload', node: 'a:6379' });
  });
});
