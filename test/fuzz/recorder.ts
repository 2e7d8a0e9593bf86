import type { Player } from './player.ts';
import { type Script, type Step, steps } from './script.ts';

/** Makes steps as they are thought of, and notes them for a repetition. Octets are written to the script, then fed. */
export class Recorder {
  readonly script: Script;
  readonly player: Player;
  #fed = 0;

  constructor(script: Script, player: Player) {
    this.script = script;
    this.player = player;
  }

  /** Octets that were written and not fed. */
  get unfed(): number {
    return this.script.length - this.#fed;
  }

  feed(count: number): void {
    if (count === 0) return;
    this.script.add(steps.FEED, count);
    this.#fed += count;
    this.player.step(steps.FEED, count, this.script.octets, this.#fed - count);
  }

  step(step: Step, argument = 0): void {
    this.script.add(step, argument);
    this.player.step(step, argument, this.script.octets, this.#fed);
  }

  async turn(): Promise<void> {
    this.script.add(steps.TURN);
    await this.player.turn();
  }
}
