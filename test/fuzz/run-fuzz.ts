import type { FuzzOptions } from './fuzz-options.ts';
import { heapInUse, heapRule } from './heap.ts';
import { type Connections, createConnections, modeOf } from './modes.ts';
import { Fault, faultOf } from './oracle/fault.ts';
import type { SessionMaker } from './player.ts';
import { mixSeeds } from './random.ts';
import { reportFault } from './report-fault.ts';
import { Script } from './script.ts';
import { Watchdog } from './watchdog.ts';

/** What a run may need more at its end than after this part of it. */
const mostGrowth = 32 * 2 ** 20;
const warmUpPart = 0.1;

interface Progress {
  iterations: number;
  frames: number;
  blocks: number;
  readonly startedAt: number;
}

/** Runs until it is enough, or a fault shows. @returns whether there was none */
export async function runFuzz(options: FuzzOptions, makeSession?: SessionMaker): Promise<boolean> {
  const how = `node test/fuzz/fuzz.ts --mode ${options.mode} --seed ${options.seed}`;
  console.log(how);
  const script = new Script();
  const connections = createConnections(script, { makeSession });
  const watchdog = new Watchdog(how);
  await watchdog.isReady;
  const progress: Progress = { iterations: 0, frames: 0, blocks: 0, startedAt: performance.now() };
  const stray: unknown[] = [];
  const onStray = (error: unknown) => void stray.push(error);
  process.on('unhandledRejection', onStray).on('uncaughtException', onStray);
  try {
    await loop(options, { connections, watchdog, progress, stray });
    console.log(`no fault: ${summary(progress)}`);
    return true;
  } catch (error) {
    // Shrinking takes its time.
    await watchdog.stop();
    console.log(summary(progress));
    await reportFault(faultOf(error), {
      options,
      iteration: progress.iterations,
      script,
      connections,
      makeSession,
    });
    return false;
  } finally {
    process.off('unhandledRejection', onStray).off('uncaughtException', onStray);
    await watchdog.stop();
  }
}

interface Parts {
  readonly connections: Connections;
  readonly watchdog: Watchdog;
  readonly progress: Progress;
  /** Errors that nobody caught. */
  readonly stray: readonly unknown[];
}

async function loop(options: FuzzOptions, { connections, watchdog, progress, stray }: Parts): Promise<void> {
  progress.iterations = options.iteration ?? 0;
  let heapAtFirst: number | undefined;
  for (let done = 0; done < 1; progress.iterations++) {
    const { iterations } = progress;
    watchdog.beat(iterations);
    const mode = modeOf(options.mode, iterations);
    const count = await connections.run(mode, mixSeeds(options.seed, iterations));
    if (stray.length > 0) throw stray[0];
    if (mode === 'hpack') progress.blocks += count;
    else progress.frames += count;
    if (options.iteration !== undefined) return;
    done = partDone(options, progress);
    if (heapAtFirst === undefined && done >= warmUpPart) heapAtFirst = await heapInUse();
  }
  const growth = (await heapInUse()) - (heapAtFirst ?? 0);
  console.log(`heap grew by ${(growth / 2 ** 20).toFixed(1)} MiB`);
  if (growth > mostGrowth) throw new Fault(heapRule, `${growth} octets`);
}

function partDone({ seconds, frames, mode }: FuzzOptions, progress: Progress): number {
  const taken = mode === 'hpack' ? progress.blocks : progress.frames;
  const passed = performance.now() - progress.startedAt;
  return Math.max(passed / (1000 * seconds), taken / frames);
}

function summary({ iterations, frames, blocks, startedAt }: Progress): string {
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage();
  const rate = Math.round(frames / seconds);
  const cpuRate = Math.round(frames / ((user + system) / 1e6));
  return (
    `${iterations} connections, ${frames} frames, ${blocks} header blocks in ${seconds.toFixed(1)} s: ` +
    `${rate} frames/s, ${cpuRate} in a second of a processor`
  );
}
