import type { Decompressions } from './decompressions.ts';
import type { Turns } from './turns.ts';

/** What the calls of a connection share: who makes them, and what bounds them together. */
export interface SharedParts {
  readonly provenNames: readonly string[];
  readonly decompressions: Decompressions;
  readonly turns: Turns;
}
