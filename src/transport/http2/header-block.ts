import { OctetBacklog } from '../octet-backlog.ts';
import { frameFlag } from './frame.ts';

/** A header block that comes in several frames: RFC 9113, section 4.3. Nothing may come between them. */
export interface OpenHeaderBlock {
  readonly streamId: number;
  /** Flags of the HEADERS frame. */
  readonly flags: number;
  /** It came with a priority that names the stream itself. */
  readonly dependsOnItself: boolean;
}

const maxContinuations = 8;

/** Puts a header block together. Bounded before anything is kept: CVE-2024-27316. */
export class HeaderBlocks {
  readonly #maxBytes: number;
  /** Blocks that were begun so far. */
  count = 0;
  #open: OpenHeaderBlock | undefined;
  readonly #octets = new OctetBacklog();
  #continuations = 0;
  #emptyContinuations = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get open(): OpenHeaderBlock | undefined {
    return this.#open;
  }

  /** @returns false when the block is too large */
  begin(block: OpenHeaderBlock, octets: Buffer, start: number, end: number): boolean {
    this.count += 1;
    this.#open = block;
    this.#octets.clear();
    this.#continuations = 0;
    this.#emptyContinuations = 0;
    return this.#append(octets, start, end);
  }

  /** @returns false when there are too many frames, or too many octets */
  continue(flags: number, octets: Buffer, start: number, end: number): boolean {
    this.#continuations += 1;
    if (this.#continuations > maxContinuations) return false;
    if (start === end && (flags & frameFlag.END_HEADERS) === 0) {
      this.#emptyContinuations += 1;
      if (this.#emptyContinuations > 1) return false;
    }
    return this.#append(octets, start, end);
  }

  /** The whole block, which is then forgotten. */
  end(): Buffer {
    this.#open = undefined;
    return this.#octets.takeAll();
  }

  #append(octets: Buffer, start: number, end: number): boolean {
    if (this.#octets.length + end - start > this.#maxBytes) return false;
    this.#octets.add(octets, start, end);
    return true;
  }
}
