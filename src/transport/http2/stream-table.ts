import { RecentIds } from './recent-ids.ts';
import type { Http2Stream } from './stream.ts';

/** What a client may open before it knows of our limit: all of them may be reset at once. Envoy opens as many. */
export const streamsBeforeSettings = 1_024;

const bucketCount = 64;
const none: readonly Http2Stream[] = Object.freeze([]);

/** The streams of a connection: which are open, which are taken places, and what became of the others. */
export class StreamTable {
  /**
   * Open streams by their identifiers; those of one bucket are a list. Not a Map: one that is added to and deleted from for
   * ever leaves tables behind, each of which keeps the next, and so all these streams, until the whole heap is collected.
   */
  readonly #buckets = new Array<Http2Stream | undefined>(bucketCount).fill(undefined);
  readonly #reset: RecentIds;
  /** RFC 9113, section 5.1.1: identifiers rise, so that all above it are idle. */
  highestId = 0;
  /** The highest that was taken. Those above it came after the last GOAWAY: RFC 9113, section 6.8. */
  lastTakenId = 0;
  /** Open streams. */
  size = 0;
  /** Open streams, and closed ones whose work has not ended. */
  places = 0;

  constructor(maxConcurrentStreams: number) {
    this.#reset = new RecentIds(2 * Math.max(streamsBeforeSettings, maxConcurrentStreams));
  }

  get(id: number): Http2Stream | undefined {
    let stream = this.#buckets[bucketOf(id)];
    while (stream !== undefined && stream.id !== id) stream = stream.next;
    return stream;
  }

  /** All as they are now, also if one is removed meanwhile. */
  all(): readonly Http2Stream[] {
    if (this.size === 0) return none;
    const all: Http2Stream[] = [];
    for (let stream of this.#buckets) for (; stream !== undefined; stream = stream.next) all.push(stream);
    return all;
  }

  add(stream: Http2Stream): void {
    const bucket = bucketOf(stream.id);
    stream.next = this.#buckets[bucket];
    this.#buckets[bucket] = stream;
    this.size += 1;
    this.places += 1;
  }

  /** Takes a stream out. Its place is free when its work has ended. */
  remove(stream: Http2Stream): void {
    stream.isClosed = true;
    this.#unlink(stream);
    this.size -= 1;
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

  #unlink(stream: Http2Stream): void {
    const bucket = bucketOf(stream.id);
    const first = this.#buckets[bucket];
    if (first === stream) this.#buckets[bucket] = stream.next;
    else {
      let before = first;
      while (before !== undefined && before.next !== stream) before = before.next;
      if (before !== undefined) before.next = stream.next;
    }
    stream.next = undefined;
  }
}

/** Those that are open at once have identifiers in a row, or nearly so. */
function bucketOf(id: number): number {
  return (id >>> 1) % bucketCount;
}
