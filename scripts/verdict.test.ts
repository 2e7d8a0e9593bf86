import { describe, expect, it } from 'vitest';
import { verdictOf } from './verdict.ts';

describe('verdictOf', () => {
  it('passes when nothing failed', () => {
    expect(verdictOf({ passed: 12, failed: 0, skipped: 0 }, 61.4, true)).toEqual({
      exitCode: 0,
      closingLine: 'passed: 12 passed, 0 failed, 0 skipped in 61 s',
    });
  });

  it('fails for one failure', () => {
    expect(verdictOf({ passed: 12, failed: 1, skipped: 0 }, 5, false)).toEqual({
      exitCode: 1,
      closingLine: 'FAILED: 12 passed, 1 failed, 0 skipped in 5 s',
    });
  });

  it('takes a skip on a machine that lacks something, and not in continuous integration', () => {
    const counts = { passed: 12, failed: 0, skipped: 3 };
    expect(verdictOf(counts, 5, false).exitCode).toBe(0);
    expect(verdictOf(counts, 5, true)).toEqual({
      exitCode: 1,
      closingLine: 'FAILED: 12 passed, 0 failed, 3 skipped (with CI=true a skip is a failure) in 5 s',
    });
  });

  it('fails when nothing was run', () => {
    expect(verdictOf({ passed: 0, failed: 0, skipped: 0 }, 1, false).exitCode).toBe(1);
  });
});
