import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 20;

/**
 * Asks again and again until there is an answer that is neither undefined nor false, and returns it. Rejects at the limit
 * with what was waited for; an exception of `ask` counts as "not yet" until then. The limit is there for what hangs, and
 * is no expectation.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  limitMs = 20_000,
): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + limitMs;
  let problem: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms for ${what}`, { cause: problem });
    await sleep(intervalMs);
  }
}
