import type { TransportLimits } from '../transport-limits.ts';
import { type ConnectionError, excess } from './connection-error.ts';
import { RateBucket } from './rate-bucket.ts';

/** A cancellation so soon after its call is work that was never wanted. */
const rapidMs = 5;

const maxEmptyInRow = 10;
const maxCloseIdlePings = 3;
const prioritiesPerStream = 100;
const windowUpdatesAtOnce = 1_000;
const windowUpdatesPerFrame = 10;
/** Allowances don't pile up beyond this. */
const maxAllowance = 100_000;

const rapidReset = excess('rapid-reset');
const streamErrors = excess('stream-errors');
const settings = excess('settings');
const pings = excess('pings');
/** With this text gRPC clients double the interval of their keep-alive: gRPC proposal A8. */
const idlePings = excess('idle-pings', 'too_many_pings');
const emptyFrames = excess('empty-frames');
const priorities = excess('priorities');
const windowUpdates = excess('window-updates');

/**
 * Counts what costs a server work and a client nothing. Each method is told of one such frame, and returns an error if that
 * was one too many. The allowances are what real clients were seen to need, with room to spare: a slow store makes Envoy
 * reset a thousand calls at once, and gRPC's bandwidth probes ping once per call.
 */
export class FloodGuard {
  readonly #resets: RateBucket;
  readonly #streamErrors: RateBucket;
  readonly #settings: RateBucket;
  readonly #pings: RateBucket;
  readonly #emptyFrames: RateBucket;
  readonly #minPingIntervalMs: number;
  #emptyInRow = 0;
  #priorities = prioritiesPerStream;
  #windowUpdates = windowUpdatesAtOnce;
  #idlePings = 0;
  #lastPingAt = Number.NEGATIVE_INFINITY;

  constructor(limits: TransportLimits, now: number) {
    const perMinute = (count: number) => new RateBucket(count, count / 60, now);
    this.#resets = new RateBucket(5 * limits.resetsPerSecond, limits.resetsPerSecond, now);
    this.#streamErrors = new RateBucket(10 * limits.streamErrorsPerSecond, limits.streamErrorsPerSecond, now);
    this.#settings = perMinute(limits.settingsPerMinute);
    this.#pings = perMinute(limits.pingsPerMinute);
    this.#emptyFrames = perMinute(limits.emptyFramesPerMinute);
    this.#minPingIntervalMs = limits.minPingIntervalMs;
  }

  /** A call begins: it brings allowances for what belongs to it. */
  streamOpened(): void {
    this.#pings.add();
    this.#priorities = Math.min(maxAllowance, this.#priorities + prioritiesPerStream);
    this.dataReceived();
    this.#windowUpdates = Math.min(maxAllowance, this.#windowUpdates + windowUpdatesPerFrame);
  }

  /** DATA was received. The next PING is the first after it. */
  dataReceived(): void {
    this.#idlePings = -1;
  }

  dataSent(): void {
    this.#idlePings = -1;
    this.#windowUpdates = Math.min(maxAllowance, this.#windowUpdates + windowUpdatesPerFrame);
  }

  /** CVE-2023-44487. */
  reset(openForMs: number, now: number): ConnectionError | undefined {
    return openForMs > rapidMs || this.#resets.take(now) ? undefined : rapidReset;
  }

  /** A fault of the client's for which we reset a stream: CVE-2025-8671. */
  streamError(now: number): ConnectionError | undefined {
    return this.#streamErrors.take(now) ? undefined : streamErrors;
  }

  /** CVE-2019-9515. */
  settings(now: number): ConnectionError | undefined {
    return this.#settings.take(now) ? undefined : settings;
  }

  /** CVE-2019-9512; and keep-alive that is too eager. */
  ping(now: number): ConnectionError | undefined {
    this.#idlePings = now - this.#lastPingAt < this.#minPingIntervalMs ? this.#idlePings + 1 : 0;
    this.#lastPingAt = now;
    if (!this.#pings.take(now)) return pings;
    return this.#idlePings >= maxCloseIdlePings ? idlePings : undefined;
  }

  /** Without content, and without an end flag: CVE-2019-9518. */
  emptyFrame(now: number): ConnectionError | undefined {
    this.#emptyInRow += 1;
    return this.#emptyInRow <= maxEmptyInRow && this.#emptyFrames.take(now) ? undefined : emptyFrames;
  }

  filledFrame(): void {
    this.#emptyInRow = 0;
  }

  /** CVE-2019-9513. */
  priority(): ConnectionError | undefined {
    this.#priorities -= 1;
    return this.#priorities >= 0 ? undefined : priorities;
  }

  windowUpdate(): ConnectionError | undefined {
    this.#windowUpdates -= 1;
    return this.#windowUpdates >= 0 ? undefined : windowUpdates;
  }
}
