import { describe } from 'vitest';
import { reasonToSkip, type ToolName } from './tools.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a suite is skipped; `result-reporter.ts` lists it. */
    skipReason?: string;
  }
}

/**
 * A suite that needs programs which may be missing: its tests are then reported as skipped, with the reason. The body is
 * run in any case to count its tests, so it must not look for the programs itself; hooks and tests may.
 */
export function describeWithTools(tools: readonly ToolName[], title: string, body: () => void): void {
  describeUnless(reasonToSkip(tools), title, body);
}

/** A suite that is skipped for a reason; without a reason it runs. */
export function describeUnless(reason: string | undefined, title: string, body: () => void): void {
  if (reason === undefined) describe(title, body);
  else describe(title, { skip: true, meta: { skipReason: reason } }, body);
}
