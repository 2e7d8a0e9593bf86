import { keptConcat } from './kept-octets.ts';

const leastBlockBytes = 256;
const maxBlockBytes = 65_536;

/**
 * Octets that wait, in blocks that grow with what is there, never with what was announced: a promise of 4 MiB costs nothing.
 * Header blocks and messages that come in pieces are kept like this, and what a client sends ahead: a thousand empty
 * messages are 5,000 octets, and would be a hundred times that as objects.
 */
export class OctetBacklog {
  length = 0;
  #blocks: Buffer[] = [];
  /** Where the first block begins. */
  #start = 0;
  /** Where the last block ends. */
  #end = 0;

  add(octets: Buffer, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const taken = octets.copy(this.#blockWithRoom(end - at), this.#end, at, end);
      this.#end += taken;
      this.length += taken;
      at += taken;
    }
  }

  /** @param read is given piece by piece what waits, and says where it stopped; it may clear it, too */
  take(read: (octets: Buffer, start: number, end: number) => number): void {
    while (this.length > 0) {
      const first = this.#blocks[0] as Buffer;
      const end = this.#blocks.length === 1 ? this.#end : first.length;
      const at = read(first, this.#start, end);
      if (this.length === 0) return;
      this.length -= at - this.#start;
      this.#start = at;
      if (at < end) {
        this.#shrink(first);
        return;
      }
      this.#blocks.shift();
      this.#start = 0;
    }
    this.clear();
  }

  /** All that waits, which is the caller's now. */
  takeAll(): Buffer {
    const end = this.#start + this.length;
    const [first] = this.#blocks;
    const isOne = first !== undefined && this.#blocks.length === 1;
    const whole = isOne ? first : keptConcat(this.#blocks, end);
    const taken = whole.subarray(this.#start, end);
    this.clear();
    return taken;
  }

  clear(): void {
    this.length = 0;
    this.#blocks = [];
    this.#start = 0;
    this.#end = 0;
  }

  /** A few octets must not hold a large block. */
  #shrink(first: Buffer): void {
    if (this.#blocks.length > 1 || 4 * this.length + leastBlockBytes > first.length) return;
    const { length } = this;
    const start = this.#start;
    this.clear();
    this.add(first, start, start + length);
  }

  #blockWithRoom(incoming: number): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#end < last.length) return last;
    const size = Math.min(Math.max(leastBlockBytes, incoming, this.length >>> 2), maxBlockBytes);
    const block = Buffer.allocUnsafeSlow(size);
    this.#blocks.push(block);
    this.#end = 0;
    return block;
  }
}
