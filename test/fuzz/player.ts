import { createGrpcRequests } from '../../src/transport/grpc/grpc-requests.ts';
import type { SessionOptions } from '../../src/transport/http2/session.ts';
import { OctetWriter } from '../../src/transport/octet-writer.ts';
import type { TransportEvent } from '../../src/transport/transport-event.ts';
import { checkAllAnswered, checkAllEnded, checkCounts, checkStreams } from './oracle/accounts.ts';
import { ClientView } from './oracle/client-view.ts';
import { Fault } from './oracle/fault.ts';
import { OutputCheck, type ServerFrameListener } from './oracle/output-check.ts';
import { profiles } from './profiles.ts';
import { type Step, steps } from './script.ts';
import { ScriptedCalls } from './scripted-calls.ts';
import { type FrameWatcher, WatchedSession } from './watched-session.ts';

export type SessionMaker = (options: SessionOptions) => WatchedSession;

export interface PlayerOptions {
  readonly seed: number;
  readonly profile: number;
  readonly makeSession?: SessionMaker | undefined;
  /** Looks at how long each chunk takes. */
  readonly isTimed?: boolean | undefined;
  /** For work that goes on when its connection has ended. */
  readonly patienceMs?: number | undefined;
  readonly onServerFrame?: ServerFrameListener | undefined;
  readonly onEvent?: (event: TransportEvent) => void;
}

/** One chunk may take this long of a processor. */
export const slowMs = 1_000;
const latePatienceMs = 30_000;
/** Counts of all streams are looked at once in so many steps. */
const stepsPerLook = 16;

const nothing = { user: 0, system: 0 };

/** Chunks are fed from here and overwritten afterwards: nothing of them may be kept. */
const chunkBuffer = Buffer.allocUnsafeSlow(1 << 18);

/** A session with its handlers, and a client's eye on it: makes steps and checks what must hold after each. */
export class Player implements FrameWatcher {
  readonly session: WatchedSession;
  readonly calls: ScriptedCalls;
  readonly view: ClientView;
  readonly check: OutputCheck;
  readonly #out = new OctetWriter(0);
  readonly #seed: number;
  readonly #isTimed: boolean;
  readonly #patienceMs: number;
  #read = 0;
  #stepCount = 0;
  #now = 1_000;
  /** The end was not the session's own doing. */
  #wasEnded = false;
  /** Frames that the session took. */
  frames = 0;

  constructor({ seed, profile, makeSession, isTimed, patienceMs, onServerFrame, onEvent }: PlayerOptions) {
    const limits = profiles[profile] as (typeof profiles)[number];
    this.#seed = seed;
    this.#isTimed = isTimed === true;
    this.#patienceMs = patienceMs ?? latePatienceMs;
    this.calls = new ScriptedCalls(seed);
    this.view = new ClientView(limits.streamWindowBytes);
    const windows = { connection: limits.connectionWindowBytes, stream: limits.streamWindowBytes };
    this.check = new OutputCheck(this.view, windows, onServerFrame);
    const make = makeSession ?? ((options) => new WatchedSession(options));
    this.session = make({
      limits,
      out: this.#out,
      now: this.#now,
      onRequest: createGrpcRequests(this.calls.handlers),
      onOutput: () => {},
      onEvent: onEvent ?? (() => {}),
    });
    this.session.watcher = this;
  }

  before(type: number, flags: number, id: number, octets: Buffer, start: number, end: number): void {
    this.frames += 1;
    this.after();
    this.view.sent(type, flags, id, octets, start, end);
  }

  /** Reads what the session has written so far. */
  after(): void {
    if (this.#out.at === this.#read) return;
    this.#read = this.check.read(this.#out.octets, this.#read, this.#out.at);
  }

  /** @param octets of a feed, which begin at `at` */
  step(step: Step, argument: number, octets: Buffer, at: number): void {
    this.#stepCount += 1;
    if (step === steps.FEED) this.#feed(octets, at, at + argument);
    else this.#act(step, argument);
    this.#flush();
    checkCounts(this.session, this.view);
    if (this.#stepCount % stepsPerLook === 0)
      checkStreams(this.session, this.view, this.check.connection.isGreeted);
  }

  /** What waits in the loop goes on. */
  async turn(): Promise<void> {
    await new Promise(setImmediate);
    this.#flush();
  }

  /** Lets everything come to its end, in one of two orders. */
  async finish(): Promise<void> {
    if (this.#seed % 2 === 0) this.#end();
    this.#answerAll();
    if (this.calls.running > 0) await this.turn();
    checkStreams(this.session, this.view, this.check.connection.isGreeted);
    if (this.session.state !== 'ended') checkAllAnswered(this.session, this.view);
    this.#end();
    const start = performance.now();
    while (this.calls.running > 0 || this.session.streams.places > 0 || this.calls.areOutstanding) {
      if (performance.now() - start > this.#patienceMs) break;
      this.#answerAll();
      await this.turn();
    }
    if (this.calls.running > 0) throw new Fault('all handlers end', `${this.calls.running} run`);
    checkAllEnded(this.session);
    if (this.calls.begun > this.view.streams.size) throw new Fault('a request is handled once');
  }

  #answerAll(): void {
    this.calls.answerAll();
    this.#flush();
  }

  #end(): void {
    this.#wasEnded = true;
    this.session.end();
    this.#flush();
  }

  #feed(octets: Buffer, start: number, end: number): void {
    const length = end - start;
    const chunk = length <= chunkBuffer.length ? chunkBuffer : Buffer.allocUnsafeSlow(length);
    octets.copy(chunk, 0, start, end);
    const begun = this.#isTimed ? process.threadCpuUsage() : undefined;
    this.session.feed(chunk.subarray(0, length), this.#now);
    const { user, system } = begun === undefined ? nothing : process.threadCpuUsage(begun);
    if (user + system > 1000 * slowMs) {
      throw new Fault('a chunk does not take long', `${user + system} microseconds for ${length} octets`);
    }
    chunk.fill(0xee, 0, length);
  }

  #act(step: Step, argument: number): void {
    const { session } = this;
    if (step === steps.WAIT) this.#now += argument;
    else if (step === steps.TICK) this.#tick();
    else if (step === steps.ANSWER) this.calls.answer(argument);
    else if (step === steps.ANSWER_ALL) this.calls.answerAll();
    else if (step === steps.DRAIN && session.isEstablished) session.drain();
    else if (step === steps.LAST_CALLS) session.lastCalls();
    else if (step === steps.STOP) for (const stream of [...session.streams.all()]) stream.reader.stopping();
    else if (step === steps.END) this.#end();
    else if (step === steps.CONGEST) this.#congest(argument === 1);
  }

  /** As the connection does it. */
  #tick(): void {
    this.session.now = this.#now;
    for (const stream of [...this.session.streams.all()]) stream.reader.tick(this.#now);
  }

  #congest(isCongested: boolean): void {
    this.session.isCongested = isCongested;
    if (!isCongested) for (const stream of [...this.session.streams.all()]) stream.reader.sent();
  }

  /** What was written is read, and its buffer used again, or handed over as to a slow socket. */
  #flush(): void {
    this.after();
    const hasFailed = this.session.state === 'ended' && !this.#wasEnded;
    if (hasFailed !== this.check.hasEnded && !this.#wasEnded) {
      throw new Fault('a session ends with a word', `state ${this.session.state}`);
    }
    if (this.#out.at === 0) return;
    if (this.#stepCount % 8 === 0) this.#out.take();
    else this.#out.at = 0;
    this.#read = 0;
  }
}
