/** Counts of checks and tests together; a check counts as one. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Verdict {
  readonly exitCode: 0 | 1;
  /** The line that a run ends with. */
  readonly closingLine: string;
}

/**
 * What a run came to. A machine that lacks a program skips the tests that need it; continuous integration is there to run
 * everything, so there a skip is a failure. A run without any test has shown nothing, and has failed too.
 */
export function verdictOf({ passed, failed, skipped }: Counts, seconds: number, isCi: boolean): Verdict {
  const skipFails = isCi && skipped > 0;
  const isGood = failed === 0 && passed > 0 && !skipFails;
  const note = skipFails ? ' (with CI=true a skip is a failure)' : '';
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped${note}`;
  return {
    exitCode: isGood ? 0 : 1,
    closingLine: `${isGood ? 'passed' : 'FAILED'}: ${counts} in ${seconds.toFixed(0)} s`,
  };
}
