import type { LogFigures } from './figures/log-figures.ts';
import { lineFault, type ReadLine } from './log/log-line.ts';
import { createLineSplitter } from './log/split-lines.ts';
import type { Simulation } from './simulation.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What a log is replayed with. */
export interface Replay {
  readonly readLine: ReadLine;
  readonly clock: VirtualClock;
  readonly log: LogFigures;
  /** Each decides every request, in this order. */
  readonly simulations: readonly Simulation[];
  /** Called after each piece of the log. */
  readonly onProgress: () => void;
}

/** Octets of a line; no request that Envoy makes comes near. */
export const maxLineLength = 1024 * 1024;

const tooLong = lineFault(`it has more than ${maxLineLength} octets`);
const blank = /^\s*$/;

/**
 * Replays a log: each line's request is decided at the line's time. A line with an earlier time than one before it counts at
 * the time that it has become by then, since a window that has ended does not come back.
 */
export async function replay(pieces: AsyncIterable<Buffer>, parts: Replay): Promise<void> {
  const splitter = createLineSplitter(maxLineLength);
  let before = 0;
  for await (const piece of pieces) {
    const lines = splitter.push(piece);
    await replayLines(lines, before, parts);
    before += lines.length;
    parts.onProgress();
  }
  await replayLines(splitter.end(), before, parts);
  parts.onProgress();
}

/** @param before how many lines came before these */
async function replayLines(
  lines: readonly (string | undefined)[],
  before: number,
  { readLine, clock, log, simulations }: Replay,
): Promise<void> {
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line !== undefined && blank.test(line)) continue;
    log.lines += 1;
    const read = line === undefined ? tooLong : readLine(line);
    if (read.kind === 'passed') log.passed += 1;
    if (read.kind === 'fault') log.addBad(before + index + 1, read.message);
    if (read.kind !== 'request') continue;
    log.addRequest(clock.advanceTo(read.timeMs));
    // One after the other: the clock stands until the last of them has counted.
    for (const simulation of simulations) await simulation.decide(read.request);
  }
}
