import type { TransportLimits } from '../../../src/transport/transport-limits.ts';
import { flags as flag, types } from '../../support/http2-frames.ts';
import type { Random } from '../random.ts';
import type { ClientCall, ClientState } from './client-state.ts';
import type { FrameSink } from './frame-sink.ts';
import { planRequest } from './request.ts';

const endings: readonly ClientCall['ending'][] = ['data', 'data', 'data', 'empty', 'trailers', 'never'];
const initialWindows = [0, 1, 10, 1_000, 65_535, 1 << 20, 1 << 30];
const maxGrantPerStream = 2 ** 31 - 1 - (1 << 30);
const maxGrant = 2 ** 31 - 1 - 65_535;
/** The server bears ten in a row; SETTINGS and PINGs that nobody needs are as many. */
const mostEmpty = 8;

/** What a client that keeps to the rules can do at any time. */
export class ClientSteps {
  readonly state: ClientState;
  readonly #sink: FrameSink;
  readonly #random: Random;
  readonly #limits: TransportLimits;
  /** Some clients have large messages only: together they fill all windows. */
  readonly #largeIn: number;
  #granted = 0;
  #emptyFrames = 0;
  #pings = 0;

  constructor(state: ClientState, sink: FrameSink, random: Random, limits: TransportLimits) {
    this.state = state;
    this.#sink = sink;
    this.#random = random;
    this.#limits = limits;
    this.#largeIn = random.pick([8, 8, 8, 1]);
  }

  open(): void {
    const { state } = this;
    if (!state.mayOpen || state.active.size >= state.maxStreams) return;
    const request = planRequest(this.#random, this.#limits, this.#largeIn);
    // Some leave identifiers out.
    const id = state.nextId + (this.#random.oneIn(10) ? 2 * this.#random.below(5) : 0);
    state.nextId = id + 2;
    const isAtOnce = request.body.length === 0 && this.#random.oneIn(2);
    // A request that ends too early must end to be found out.
    const ending = request.fault === 'bad-message' ? 'data' : this.#random.pick(endings);
    const call = {
      id,
      request,
      ending,
      sent: 0,
      window: state.initialWindow,
      granted: 0,
      hasEnded: isAtOnce,
      wasReset: false,
    };
    state.calls.push(call);
    state.active.set(id, call);
    this.#sink.headers(id, isAtOnce, request.fields);
  }

  /** Sends as much of a body as it likes, and may. @returns octets */
  sendData(call: ClientCall): number {
    const { state } = this;
    const { body } = call.request;
    const allowed = Math.min(call.window, state.window, state.maxFrame);
    if (call.hasEnded || allowed <= 0 || call.sent === body.length) return 0;
    const random = this.#random;
    const left = Math.min(allowed, body.length - call.sent);
    const size = random.oneIn(3) ? 1 + random.below(left) : left;
    const padding = random.oneIn(8) ? Math.min(256, allowed - size, random.size(256)) : 0;
    const isLast = call.sent + size === body.length && call.ending === 'data';
    this.#sink.data(call.id, isLast, body, call.sent, call.sent + size, padding);
    call.sent += size;
    this.#spend(call, size + padding, isLast);
    this.#emptyFrames = 0;
    return size;
  }

  /** A frame of DATA that says nothing. */
  sendNothing(call: ClientCall): void {
    if (call.hasEnded || this.#emptyFrames >= mostEmpty) return;
    this.#emptyFrames += 1;
    const most = Math.min(256, call.window, this.state.window);
    const padding = most > 0 && this.#random.oneIn(2) ? this.#random.size(most) : 0;
    this.#sink.data(call.id, false, call.request.body, 0, 0, padding);
    this.#spend(call, padding, false);
  }

  /** Ends a request whose body is out. */
  end(call: ClientCall): boolean {
    const isReady = !call.hasEnded && call.sent === call.request.body.length && call.ending !== 'never';
    if (!isReady) return false;
    if (call.ending === 'trailers') {
      this.#sink.headers(call.id, true, [
        ['x-trailer', 'yes'],
        ['grpc-status', '0'],
      ]);
    } else {
      this.#sink.data(call.id, true, call.request.body, 0, 0, 0);
      this.#emptyFrames = 0;
    }
    call.hasEnded = true;
    return true;
  }

  reset(call: ClientCall): void {
    call.wasReset = true;
    this.state.active.delete(call.id);
    this.#sink.numbers(types.RST_STREAM, 0, call.id, this.#random.pick([0, 2, 5, 8, 8, 8, 0xffff_ffff]));
  }

  /** Lets the server send more, on the connection or in a call. */
  widen(call: ClientCall | undefined, wanted: number): void {
    const granted = call === undefined ? this.#granted : call.granted;
    const room = (call === undefined ? maxGrant : maxGrantPerStream) - granted;
    const octets = Math.min(room, wanted);
    if (octets <= 0) return;
    if (call === undefined) this.#granted += octets;
    else call.granted += octets;
    this.#sink.numbers(types.WINDOW_UPDATE, 0, call?.id ?? 0, octets);
  }

  settings(): void {
    const random = this.#random;
    const choices: (readonly [number, number])[] = [
      [1, random.pick([0, 100, 4_095, 4_096, 65_536])],
      [2, random.below(2)],
      [3, random.size(1_000)],
      [4, random.pick(initialWindows)],
      [4, random.pick(initialWindows)],
      [5, random.pick([16_384, 16_385, 100_000, 0xff_ffff])],
      [6, random.size(100_000)],
      [0xfe03, random.bits()],
    ];
    this.#sink.settings(choices.filter(() => random.oneIn(4)));
  }

  acknowledge(): void {
    const { state } = this;
    for (; state.settingsAcks > 0; state.settingsAcks--) this.#sink.frame(types.SETTINGS, flag.ACK, 0);
    for (const payload of state.pingAcks.splice(0)) this.#sink.frame(types.PING, flag.ACK, 0, payload);
  }

  /** What needs no answer, or next to none. */
  aside(): void {
    const random = this.#random;
    const id = random.oneIn(2) ? this.state.nextId + 2 * random.below(5) : 1 + 2 * random.below(20);
    if (random.oneIn(3))
      this.#sink.numbers(types.PING, this.#pings++ > 50 ? flag.ACK : 0, 0, random.bits(), this.#pings);
    else if (random.oneIn(2))
      this.#sink.frame(types.PRIORITY, random.below(256), id, Buffer.of(0, 0, 0, 0, random.below(256)));
    else
      this.#sink.frame(
        random.between(10, 255),
        random.below(256),
        random.below(100),
        junk,
        0,
        random.below(junk.length),
      );
  }

  leave(): void {
    this.state.mayOpen = false;
    this.#sink.numbers(types.GOAWAY, 0, 0, 0, this.#random.pick([0, 2, 11]), 0x62796521);
  }

  #spend(call: ClientCall, octets: number, isLast: boolean): void {
    call.window -= octets;
    this.state.window -= octets;
    call.hasEnded = isLast;
  }
}

const junk = Buffer.alloc(60, 'junk');
