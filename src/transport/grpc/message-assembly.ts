import { OctetBacklog } from '../octet-backlog.ts';
import { messagePrefixBytes } from '../transport-limits.ts';

/** Puts one gRPC message together from pieces that end anywhere. */
export class MessageAssembly {
  /** Compressed flag, length. */
  readonly #prefix = Buffer.alloc(messagePrefixBytes);
  #prefixLength = 0;
  #length = 0;
  readonly #content = new OctetBacklog();

  /** Whether anything of a message has come. */
  get hasBegun(): boolean {
    return this.#prefixLength > 0;
  }

  /** Octets of the message, as its prefix says; undefined as long as that is not there. */
  get length(): number | undefined {
    return this.#prefixLength < messagePrefixBytes ? undefined : this.#length;
  }

  get isComplete(): boolean {
    return this.#prefixLength === messagePrefixBytes && this.#content.length === this.#length;
  }

  /** 0 or 1; anything else is a fault. */
  get compressedFlag(): number {
    return this.#prefix[0] as number;
  }

  /** Takes in octets up to the end of the prefix, or of the message. @returns where it stopped */
  add(octets: Buffer, start: number, end: number): number {
    if (this.#prefixLength < messagePrefixBytes) return this.#addPrefix(octets, start, end);
    const stop = Math.min(end, start + this.#length - this.#content.length);
    this.#content.add(octets, start, stop);
    return stop;
  }

  /** The message, when it is complete. It is the caller's then. */
  take(): Buffer {
    return this.#content.takeAll();
  }

  #addPrefix(octets: Buffer, start: number, end: number): number {
    const taken = octets.copy(this.#prefix, this.#prefixLength, start, end);
    this.#prefixLength += taken;
    if (this.#prefixLength === messagePrefixBytes) this.#length = this.#prefix.readUInt32BE(1);
    return start + taken;
  }
}
