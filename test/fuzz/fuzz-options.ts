import { parseArgs } from 'node:util';
import { type ModeName, modeNames } from './modes.ts';

export interface FuzzOptions {
  readonly seed: number;
  readonly mode: ModeName;
  /** When it is enough: after so many seconds, or frames. */
  readonly seconds: number;
  readonly frames: number;
  /** This one alone. */
  readonly iteration: number | undefined;
  /** A file of an earlier failure. */
  readonly replay: string | undefined;
}

export const usage = `node test/fuzz/fuzz.ts [--seconds N | --frames N] [--seed S] [--mode ${modeNames.join('|')}]
  --seconds N    for so long (60)
  --frames N     until sessions have taken so many frames
  --seed S       the same connections as a run that printed S
  --iteration N  that connection alone
  --replay FILE  a failure that was written to a file`;

const defaultSeconds = 60;

/** @returns undefined where they make no sense */
export function readOptions(args: readonly string[]): FuzzOptions | undefined {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      args: [...args],
      options: { seconds: text, frames: text, seed: text, mode: text, iteration: text, replay: text },
    });
    const mode = (values.mode ?? 'both') as ModeName;
    const frames = count(values.frames) ?? Number.POSITIVE_INFINITY;
    const isEndless = values.frames !== undefined;
    const seconds = count(values.seconds) ?? (isEndless ? Number.POSITIVE_INFINITY : defaultSeconds);
    if (!modeNames.includes(mode)) return undefined;
    const seed = count(values.seed) ?? Math.floor(Math.random() * 2 ** 32);
    return { seed, mode, seconds, frames, iteration: count(values.iteration), replay: values.replay };
  } catch {
    return undefined;
  }
}

function count(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new TypeError(text);
  return Number(text);
}
