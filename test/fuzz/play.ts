import { Player, type PlayerOptions, type SessionMaker, slowMs } from './player.ts';
import { type Script, type Step, steps } from './script.ts';

/** A session that has ended gets a few chunks more, as they may be on their way. */
const stepsAfterEnd = 4;

export interface PlayOptions {
  readonly makeSession?: SessionMaker | undefined;
  /** For work that goes on when its connection has ended. */
  readonly patienceMs?: number | undefined;
}

/** Makes all steps of a script on a new session. Throws the fault that shows. @returns how many frames the session took */
export async function play(script: Script, options: PlayOptions = {}): Promise<number> {
  const start = performance.now();
  const { seed, profile } = script;
  const frames = await playOnce(script, { seed, profile, ...options });
  // Only what takes long as a whole can have a part that does. Once more, as the machine may have been busy.
  if (performance.now() - start > slowMs)
    await playOnce(script, { seed, profile, ...options, isTimed: true });
  return frames;
}

async function playOnce(script: Script, options: PlayerOptions): Promise<number> {
  const player = new Player(options);
  let at = 0;
  let stepsLeft = stepsAfterEnd;
  for (let i = 0; i < script.steps.length && stepsLeft > 0; i += 2) {
    const step = script.steps[i] as Step;
    const argument = script.steps[i + 1] as number;
    if (step === steps.TURN) await player.turn();
    else player.step(step, argument, script.octets, at);
    if (step === steps.FEED) at += argument;
    if (player.session.state === 'ended') stepsLeft -= 1;
  }
  await player.finish();
  return player.frames;
}
