import { expect } from 'vitest';
import type { Attack, AttackResult, Look } from './attack.ts';
import { type Faults, faultsOf } from './fault-counts.ts';
import { watchMemory } from './memory-watch.ts';
import type { Target } from './target.ts';

/** Calls that the good client makes during and after each attack. */
const goodCalls = 50;

const bytesPerMiB = 1_048_576;
/**
 * What one connection may make the service hold, in MiB. All that can be held at once comes to 14, and to 15 where
 * something that the service does besides, such as compiling, shows in the measure.
 */
const maxHeld = 16;
/**
 * What one attack may make its resident memory grow by, in MiB. This includes what is garbage, and what the allocator does
 * not give back: the runtime collects buffers when there are 64 MiB of them, and any other client makes garbage, too.
 */
const maxGrowth = 160;

/**
 * Makes an attack, sees to it that the service lives, serves and stays small, and says what was counted.
 * @param mayHold in MiB
 */
export async function attacked(
  target: Target,
  { run }: Attack,
  mayHold?: number,
): Promise<{ readonly result: AttackResult; readonly faults: Faults }> {
  return underAttack(target, (look) => run(target.address, look), mayHold);
}

/** The same with something that is not one connection. */
export async function underAttack<Result>(
  target: Target,
  attack: (look: Look) => Promise<Result>,
  mayHold = maxHeld,
): Promise<{ readonly result: Result; readonly faults: Faults }> {
  const { weir, good } = target;
  const before = faultsOf(await target.metrics());
  const heldBefore = await target.heldBytes();
  using memory = watchMemory(weir.pid);
  let held = 0;
  const result = await attack(async () => {
    held = ((await target.heldBytes()) - heldBefore) / bytesPerMiB;
  });
  await good.goesOn(goodCalls);
  expect(good.failures).toEqual([]);
  expect(weir.exit).toBeUndefined();
  expect(held).toBeLessThan(mayHold);
  expect(memory.growth ?? 0).toBeLessThan(maxGrowth);
  const after = faultsOf(await target.metrics());
  const counted = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return { result, faults: Object.fromEntries(counted.filter(([, count]) => count > 0)) };
}

/** Open connections, as the service counts them. */
export async function openConnections(target: Target): Promise<number | undefined> {
  return (await target.metrics()).get('weir_grpc_connections');
}
