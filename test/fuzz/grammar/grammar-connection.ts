import type { TransportLimits } from '../../../src/transport/transport-limits.ts';
import { preface } from '../../support/http2-frames.ts';
import { Fault } from '../oracle/fault.ts';
import type { PlayOptions } from '../play.ts';
import { Player } from '../player.ts';
import { patientProfiles, profiles } from '../profiles.ts';
import type { Random } from '../random.ts';
import { Recorder } from '../recorder.ts';
import { type Script, steps } from '../script.ts';
import { type ClientCall, ClientState } from './client-state.ts';
import { ClientSteps } from './client-steps.ts';
import { FrameSink } from './frame-sink.ts';
import { OutcomeCheck } from './outcome-check.ts';
import { wrapUp } from './wrap-up.ts';
import { writeWrongFrame } from './wrong-frames.ts';

const mostSteps = 400;

/** A connection whose client knows HTTP/2, and keeps to its rules always, or nearly always. */
export class GrammarConnection {
  readonly #random: Random;
  readonly #limits: TransportLimits;
  readonly #player: Player;
  readonly #recorder: Recorder;
  readonly #sink: FrameSink;
  readonly #state: ClientState;
  readonly #client: ClientSteps;
  readonly #outcome: OutcomeCheck;
  /** One step in so many breaks a rule; 0: none does. */
  readonly #wrongIn: number;
  readonly #isSound: boolean;
  readonly #patienceMs: number | undefined;

  constructor(script: Script, random: Random, options: PlayOptions = {}) {
    const { seed } = script;
    this.#random = random;
    this.#wrongIn = random.oneIn(2) ? 0 : random.pick([5, 30, 100]);
    this.#isSound = this.#wrongIn === 0;
    script.profile = this.#wrongIn === 0 ? random.pick(patientProfiles) : random.below(profiles.length);
    this.#patienceMs = options.patienceMs;
    this.#limits = profiles[script.profile] as TransportLimits;
    this.#state = new ClientState(this.#limits);
    this.#outcome = new OutcomeCheck(seed);
    this.#player = new Player({
      seed,
      profile: script.profile,
      ...options,
      onServerFrame: (...frame) => this.#state.receive(...frame),
      onEvent: this.#outcome.onEvent,
    });
    this.#recorder = new Recorder(script, this.#player);
    this.#sink = new FrameSink(this.#recorder, random);
    this.#client = new ClientSteps(this.#state, this.#sink, random, this.#limits);
  }

  /** @returns how many frames the session took */
  async run(stepLimit: number): Promise<number> {
    this.#recorder.script.copy(preface, 0, preface.length);
    this.#client.settings();
    for (let left = Math.min(stepLimit, this.#random.size(mostSteps)); left > 0; left--) {
      await this.#step();
      if (this.#random.oneIn(2)) this.#feed();
      if (this.#isSound) this.#outcome.checkConnection();
      if (this.#player.session.state === 'ended') break;
    }
    if (this.#isSound) await this.#finishSound();
    await this.#player.finish();
    return this.#player.frames;
  }

  /** One chunk, up to a place that may be anywhere. */
  #feed(): void {
    const { unfed } = this.#recorder;
    this.#recorder.feed(this.#random.oneIn(2) ? unfed : this.#random.below(unfed + 1));
  }

  async #step(): Promise<void> {
    const random = this.#random;
    if (this.#wrongIn > 0 && random.oneIn(this.#wrongIn)) {
      writeWrongFrame(this.#sink, this.#recorder, this.#state, random);
    }
    const choice = random.below(100);
    if (choice < 60) this.#clientStep(choice);
    else if (choice < 70) this.#read();
    else if (choice < 77) await this.#recorder.turn();
    else if (choice < 87) this.#recorder.step(steps.ANSWER, random.below(1_000));
    else if (choice < 91) this.#recorder.step(steps.WAIT, random.oneIn(30) ? 12_000 : random.size(2_000));
    else if (choice < 94) this.#recorder.step(steps.TICK);
    else if (choice < 97) this.#recorder.step(steps.CONGEST, random.below(2));
    else this.#rareStep();
  }

  #clientStep(choice: number): void {
    const { active } = this.#state;
    const call = active.size > 0 ? this.#random.pick([...active.values()]) : undefined;
    if (choice < 18 || call === undefined) this.#client.open();
    else if (choice < 38) this.#client.sendData(call);
    else if (choice < 40) this.#client.sendNothing(call);
    else if (choice < 45) this.#client.end(call);
    else if (choice < 47) this.#client.reset(call);
    else if (choice < 51) this.#client.widen(undefined, 1 + this.#random.size(300_000));
    else if (choice < 55) this.#client.widen(call, 1 + this.#random.size(100_000));
    else if (choice < 57) this.#client.settings();
    else this.#client.aside();
  }

  #rareStep(): void {
    const choice = this.#random.below(32);
    if (choice < 4) this.#recorder.step(steps.DRAIN);
    else if (choice < 8) this.#recorder.step(steps.LAST_CALLS);
    else if (choice === 8) {
      this.#outcome.hasStopped = true;
      this.#recorder.step(steps.STOP);
    } else if (choice === 9) this.#client.leave();
  }

  #read(): void {
    this.#state.read(1 + this.#random.size(50));
    if (this.#random.oneIn(2)) this.#client.acknowledge();
  }

  async #finishSound(): Promise<void> {
    await wrapUp(this.#recorder, this.#client, this.#patienceMs);
    this.#outcome.checkConnection();
    this.#outcome.checkFaults(this.#state.calls);
    const { view, check } = this.#player;
    for (const call of this.#state.calls)
      if (!this.#wasIgnored(call)) this.#outcome.checkCall(call, view.streams.get(call.id));
    if (!check.connection.isAllAnswered) throw new Fault('SETTINGS and PING are answered');
    // Less than a quarter is not worth a frame.
    const size = this.#limits.connectionWindowBytes;
    if (4 * view.receiveWindow < 3 * size)
      throw new Fault('the connection window opens again', `${view.receiveWindow} of ${size}`);
  }

  #wasIgnored({ id }: ClientCall): boolean {
    return id > this.#player.view.lastId;
  }
}
