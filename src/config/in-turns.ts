import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../domain/clock.ts';
import type { Steps } from '../rules/steps.ts';

/** Callers wait 20 ms for an answer, and other work of a turn comes on top. */
const sliceMs = 1;

/** Does work over as many turns of the loop as it needs, so that decisions go on meanwhile. */
export async function inTurns<T>(steps: Steps<T>, clock: Clock): Promise<T> {
  let until = clock.monotonic() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (clock.monotonic() < until) continue;
    await turn();
    until = clock.monotonic() + sliceMs;
  }
}
