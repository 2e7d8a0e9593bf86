import { adjustCounter } from '../../algorithm/adjust-counter.ts';
import type { Adjustment } from '../../domain/adjustment.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Hit } from '../../domain/hit.ts';
import { stateOf } from '../counter-state.ts';
import type { CounterState } from '../counter-store.ts';
import { isStoreError, type StoreError } from '../store-error.ts';
import { storeErrorOf } from './redis-error.ts';
import { counterOfFound, isAnswerTo, notLocal, type ScriptAnswer, senselessAnswer } from './script-answer.ts';
import { adjustArguments, storedKeys } from './script-arguments.ts';
import { adjustCounter as flagged, adjustCounterPlain as plain } from './scripts.gen.ts';
import type { DirectPlace } from './topology.ts';

/** What is to be done to the counter of a hit. */
export interface Adjusting {
  readonly hit: Hit;
  readonly adjustment: Adjustment;
}

export interface AdjustOptions {
  readonly clock: Clock;
  /** By {@link Clock.monotonic}, in ms. */
  readonly deadline: number;
  readonly maxJitterMs: number;
}

/** Calls `lua/adjust_counter.lua`. Never rejects. */
export async function adjustOnRedis(
  adjusting: Adjusting,
  place: DirectPlace,
  options: AdjustOptions,
): Promise<CounterState | StoreError> {
  const { clock, deadline } = options;
  const late = Promise.withResolvers<StoreError>();
  const message = 'no answer within the time allowed; it may have been done';
  const timeout: StoreError = { kind: 'timeout', message, node: place.node };
  const timer = setTimeout(late.resolve, Math.max(0, deadline - clock.monotonic()), timeout);
  try {
    return await Promise.race([late.promise, callTwice(adjusting, place, options)]);
  } catch (error) {
    return storeErrorOf(error, place.node);
  } finally {
    clearTimeout(timer);
  }
}

/** A server whose clock is more than a window of the calendar away has said so, and done nothing: then by its own time. */
async function callTwice(
  adjusting: Adjusting,
  place: DirectPlace,
  options: AdjustOptions,
): Promise<CounterState | StoreError> {
  const reply = await call(adjusting, place, options, options.clock.now());
  const [serverMs, found] = isStoreError(reply) ? [] : reply;
  const isOutOfCalendar = typeof found === 'string' && found.startsWith('CLOCK');
  const last = isOutOfCalendar ? await call(adjusting, place, options, Number(serverMs)) : reply;
  return isStoreError(last) ? last : stateIn(last, adjusting, place.node);
}

async function call(
  { hit, adjustment }: Adjusting,
  { node, call: send }: DirectPlace,
  { clock, deadline, maxJitterMs }: AdjustOptions,
  serverMs: number,
): Promise<ScriptAnswer | StoreError> {
  const reply = await send({
    scripts: { flagged, plain },
    keys: storedKeys(hit),
    args: adjustArguments(hit, adjustment, { maxJitterMs, serverMs }),
    isWanted: () => clock.monotonic() < deadline,
  });
  const content = { operations: [{ ...hit, tasks: [] }], compensations: [], groups: [] };
  if (isAnswerTo(content, reply)) return reply;
  return senselessAnswer(node);
}

/** The script told what was found; what is left of it, the specification tells. */
function stateIn(
  [serverMs, found, second]: ScriptAnswer,
  { hit, adjustment }: Adjusting,
  node: string,
): CounterState | StoreError {
  if (typeof found === 'string') return storeErrorOf(found, node);
  if (found === undefined || found === notLocal) return storeErrorOf('non local key', node);
  const nowMs = Number(serverMs);
  const counter = counterOfFound(hit.counting, nowMs, found, Number(second));
  const adjusted = adjustCounter(counter, nowMs, hit, adjustment);
  return stateOf({ ...hit, cost: 0 }, adjusted, adjusted.counter, nowMs);
}
