import { GrammarConnection } from './grammar/grammar-connection.ts';
import { fuzzHpack } from './hpack/fuzz-hpack.ts';
import { checkCuts } from './mutate/cut-check.ts';
import { MutatedConnection } from './mutate/mutated-connection.ts';
import { loadRecordings } from './mutate/recordings.ts';
import { type PlayOptions, play } from './play.ts';
import { profiles } from './profiles.ts';
import { Random } from './random.ts';
import type { Script } from './script.ts';

export const modeNames = ['mutate', 'grammar', 'hpack', 'both'] as const;
export type ModeName = (typeof modeNames)[number];
/** `both` is all of them in turns. */
export type SingleMode = Exclude<ModeName, 'both'>;

/** Of 16 connections in a row. One by the grammar takes as long as ten others. */
const turns: readonly SingleMode[] = [
  ...Array<SingleMode>(12).fill('mutate'),
  ...Array<SingleMode>(2).fill('grammar'),
  ...Array<SingleMode>(2).fill('hpack'),
];

export function modeOf(name: ModeName, iteration: number): SingleMode {
  return name === 'both' ? (turns[iteration % turns.length] as SingleMode) : name;
}

/** The limits of a server without settings of its own: with others, most calls are refused. */
const usualProfile = 0;

/** One of so many mutated connections is made twice, with other cuts. */
const cutsIn = 200;

export interface Connections {
  /**
   * Makes the connection of a seed and all that happens to it, which the script has afterwards. Throws the fault that shows.
   * @param terms a connection by the grammar may be cut short; and how long is waited for what never comes
   * @returns how many frames the session took; header blocks, in the mode for those
   */
  run(mode: SingleMode, seed: number, terms?: { stepLimit?: number; patienceMs?: number }): Promise<number>;
}

export function createConnections(script: Script, options: PlayOptions = {}): Connections {
  const recordings = loadRecordings();
  return {
    run(mode, seed, { stepLimit = Number.POSITIVE_INFINITY, ...patience } = {}) {
      const random = new Random(seed);
      script.clear(seed, random.oneIn(3) ? random.below(profiles.length) : usualProfile);
      if (mode === 'hpack') return Promise.resolve(fuzzHpack(random));
      if (mode === 'grammar')
        return new GrammarConnection(script, random, { ...options, ...patience }).run(stepLimit);
      new MutatedConnection(recordings, script, random).write();
      if (options.makeSession === undefined && random.oneIn(cutsIn)) return checkCuts(script, random);
      return play(script, options);
    },
  };
}
