import { OctetBacklog } from '../octet-backlog.ts';

/** "gRPC over HTTP/2", Length-Prefixed-Message: compressed flag, length, message. */
export const prefixBytes = 5;

/** Puts one gRPC message together from pieces that end anywhere. */
export class MessageAssembly {
  readonly #prefix = Buffer.alloc(prefixBytes);
  #prefixLength = 0;
  #length = 0;
  readonly #content = new OctetBacklog();

  /** Whether anything of a message has come. */
  get hasBegun(): boolean {
    return this.#prefixLength > 0;
  }

  /** Octets of the message, as its prefix says; undefined as long as that is not there. */
  get length(): number | undefined {
    return this.#prefixLength < prefixBytes ? undefined : this.#length;
  }

  get isComplete(): boolean {
    return this.#prefixLength === prefixBytes && this.#content.length === this.#length;
  }

  /** 0 or 1; anything else is a fault. */
  get compressedFlag(): number {
    return this.#prefix[0] as number;
  }

  /** Takes in octets up to the end of the prefix, or of the message. @returns where it stopped */
  add(octets: Buffer, start: number, end: number): number {
    if (this.#prefixLength < prefixBytes) return this.#addPrefix(octets, start, end);
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
    if (this.#prefixLength === prefixBytes) this.#length = this.#prefix.readUInt32BE(1);
    return start + taken;
  }
}
