import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FuzzOptions } from './fuzz-options.ts';
import { heapRule } from './heap.ts';
import { type Connections, modeOf } from './modes.ts';
import { type Fault, faultOf } from './oracle/fault.ts';
import type { SessionMaker } from './player.ts';
import { mixSeeds } from './random.ts';
import type { Script } from './script.ts';
import { shrink } from './shrink.ts';

const shrinkSeconds = 60;
const mostSteps = 1_024;
/** There is no need to wait for what did not come. */
const patienceMs = 500;

export interface FoundIn {
  readonly options: FuzzOptions;
  readonly iteration: number;
  /** All that happened. */
  readonly script: Script;
  readonly connections: Connections;
  readonly makeSession: SessionMaker | undefined;
}

/** Says all that is needed to see a fault again, in as few steps as show it. */
export async function reportFault(fault: Fault, found: FoundIn): Promise<void> {
  const { options, iteration, script, makeSession } = found;
  const { mode, seed } = options;
  console.log(`FAULT ${fault.message}`);
  const again = `again: node test/fuzz/fuzz.ts --mode ${mode} --seed ${seed}`;
  console.log(fault.rule === heapRule ? again : `${again} --iteration ${iteration}`);
  if (fault.rule === heapRule || script.steps.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'weir-fuzz-'));
  write(join(folder, 'whole.json'), script, fault);
  const shrunk = await shrink(script, fault.rule, { makeSession, seconds: shrinkSeconds });
  if (shrunk !== undefined) write(join(folder, 'shrunk.json'), shrunk, fault);
  else if (modeOf(mode, iteration) === 'grammar') await shorten(fault, found, folder);
}

function write(file: string, script: Script, fault: Fault): void {
  writeFileSync(file, script.toJson(fault.message.slice(0, 1_000)));
  const what = `${script.steps.length / 2} steps, ${script.length} octets`;
  console.log(`${what}: node test/fuzz/fuzz.ts --replay ${file}`);
}

/**
 * What only a client that keeps to the rules may expect is not seen in a replay, as nobody knows there what it expects. But
 * its connection can end earlier.
 */
async function shorten(
  fault: Fault,
  { options, iteration, script, connections }: FoundIn,
  folder: string,
): Promise<void> {
  let [enough, tooFew] = [mostSteps, 0];
  while (enough - tooFew > 1) {
    const limit = (enough + tooFew) >> 1;
    const isShown = await connections
      .run('grammar', mixSeeds(options.seed, iteration), { stepLimit: limit, patienceMs })
      .then(
        () => false,
        (error: unknown) => faultOf(error).rule === fault.rule,
      );
    if (isShown) enough = limit;
    else tooFew = limit;
  }
  await connections
    .run('grammar', mixSeeds(options.seed, iteration), { stepLimit: enough, patienceMs })
    .catch(() => {});
  console.log(`after ${enough} steps of the client already, which are not for a replay:`);
  write(join(folder, 'shortened.json'), script, fault);
}
