/** "gRPC over HTTP/2", Length-Prefixed-Message: compressed flag, length, message. */
export const prefixBytes = 5;

const leastBlockBytes = 256;
const maxBlockBytes = 65_536;

/**
 * Puts one gRPC message together from pieces that end anywhere. Memory grows with what has come, by a quarter at a time and
 * never with the length that was announced, so that a promise of 4 MiB costs nothing.
 */
export class MessageAssembly {
  readonly #prefix = Buffer.alloc(prefixBytes);
  #prefixLength = 0;
  #length = 0;
  #received = 0;
  readonly #blocks: Buffer[] = [];
  /** Octets that are used in the last block. */
  #used = 0;

  /** Whether anything of a message has come. */
  get hasBegun(): boolean {
    return this.#prefixLength > 0;
  }

  /** Octets of the message, as its prefix says; undefined as long as that is not there. */
  get length(): number | undefined {
    return this.#prefixLength < prefixBytes ? undefined : this.#length;
  }

  get isComplete(): boolean {
    return this.#prefixLength === prefixBytes && this.#received === this.#length;
  }

  /** 0 or 1; anything else is a fault. */
  get compressedFlag(): number {
    return this.#prefix[0] as number;
  }

  /** Takes in octets up to the end of the prefix, or of the message. @returns where it stopped */
  add(octets: Buffer, start: number, end: number): number {
    if (this.#prefixLength < prefixBytes) return this.#addPrefix(octets, start, end);
    let at = start;
    const stop = Math.min(end, start + this.#length - this.#received);
    while (at < stop) {
      const block = this.#blockWithRoom(stop - at);
      const taken = octets.copy(block, this.#used, at, stop);
      this.#used += taken;
      this.#received += taken;
      at += taken;
    }
    return at;
  }

  /** The message, when it is complete. */
  message(): Buffer {
    const [only] = this.#blocks;
    if (this.#blocks.length <= 1) return (only ?? noOctets).subarray(0, this.#length);
    return Buffer.concat(this.#blocks, this.#length);
  }

  #addPrefix(octets: Buffer, start: number, end: number): number {
    const taken = octets.copy(this.#prefix, this.#prefixLength, start, end);
    this.#prefixLength += taken;
    if (this.#prefixLength === prefixBytes) this.#length = this.#prefix.readUInt32BE(1);
    return start + taken;
  }

  #blockWithRoom(incoming: number): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const size = Math.min(Math.max(leastBlockBytes, incoming, this.#received >>> 2), maxBlockBytes);
    const block = Buffer.allocUnsafeSlow(Math.min(size, this.#length - this.#received));
    this.#blocks.push(block);
    this.#used = 0;
    return block;
  }
}

const noOctets = Buffer.alloc(0);
