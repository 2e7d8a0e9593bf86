import { RecentIds } from './recent-ids.ts';
import type { Http2Stream } from './stream.ts';

/** What a client may open before it knows of our limit: all of them may be reset at once. Envoy opens as many. */
export const streamsBeforeSettings = 1_024;

/** The streams of a connection: which are open, which are taken places, and what became of the others. */
export class StreamTable {
  readonly #open = new Map<number, Http2Stream>();
  readonly #reset: RecentIds;
  /** RFC 9113, section 5.1.1: identifiers rise, so that all above it are idle. */
  highestId = 0;
  /** The highest that was taken. Those above it came after the last GOAWAY: RFC 9113, section 6.8. */
  lastTakenId = 0;
  /** Open streams, and closed ones whose work has not ended. */
  places = 0;

  constructor(maxConcurrentStreams: number) {
    this.#reset = new RecentIds(2 * Math.max(streamsBeforeSettings, maxConcurrentStreams));
  }

  get size(): number {
    return this.#open.size;
  }

  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  all(): IterableIterator<Http2Stream> {
    return this.#open.values();
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream);
    this.places += 1;
  }

  /** Takes a stream out. Its place is free when its work has ended. */
  remove(stream: Http2Stream): void {
    stream.isClosed = true;
    this.#open.delete(stream.id);
    if (!stream.isWorking) this.places -= 1;
  }

  workEnded(stream: Http2Stream): void {
    if (!stream.isWorking) return;
    stream.isWorking = false;
    if (stream.isClosed) this.places -= 1;
  }

  /** RFC 9113, section 5.1.1: those with even identifiers would be ours to open. */
  isIdle(id: number): boolean {
    return id > this.highestId || (id & 1) === 0;
  }

  /** We reset it, and what its client sent before it knew is still to come. */
  rememberReset(id: number): void {
    this.#reset.add(id);
  }

  /** Of a stream that is not idle: whether what comes for it is to be ignored. */
  wasReset(id: number): boolean {
    return id > this.lastTakenId || this.#reset.has(id);
  }
}
