import { HpackDecoder } from '../hpack/hpack-decoder.ts';
import { keptCopy } from '../kept-octets.ts';
import { type HeadFault, type RequestHead, RequestHeadReader } from './request-head.ts';

/** A longer block is not worth remembering. */
const maxRememberedBytes = 512;

/**
 * Decodes header blocks to request heads. A client's blocks are often equal, octet by octet: Envoy's are, from the second
 * on. As long as the dynamic table is what it was, equal octets mean an equal head, so the last one is remembered.
 */
export class HeadDecoder {
  readonly #hpack = new HpackDecoder();
  readonly #reader: RequestHeadReader;
  #rememberedHead: RequestHead | undefined;
  #rememberedBlock: Buffer = Buffer.alloc(0);
  #rememberedGeneration = -1;

  /** @param keptFields see {@link RequestHead.kept} */
  constructor(maxHeaderListBytes: number, keptFields?: ReadonlySet<string>) {
    this.#reader = new RequestHeadReader(maxHeaderListBytes, keptFields);
  }

  /** @returns undefined on a COMPRESSION_ERROR, after which nothing can be decoded any more (RFC 9113, 4.3) */
  decode(octets: Buffer, start: number, end: number): RequestHead | HeadFault | undefined {
    const remembered = this.#rememberedHead;
    if (remembered !== undefined && this.#isRemembered(octets, start, end)) return remembered;
    const generation = this.#hpack.generation;
    this.#reader.begin(false);
    if (!this.#hpack.decode(octets, start, end, this.#reader)) return undefined;
    const head = this.#reader.end();
    const isLasting = this.#hpack.generation === generation && end - start <= maxRememberedBytes;
    if (isLasting && typeof head === 'object') this.#remember(head, octets.subarray(start, end));
    return head;
  }

  /** @returns whether the trailers are sound, undefined on a COMPRESSION_ERROR */
  decodeTrailers(octets: Buffer, start: number, end: number): HeadFault | 'sound' | undefined {
    this.#reader.begin(true);
    if (!this.#hpack.decode(octets, start, end, this.#reader)) return undefined;
    return this.#reader.fault ?? 'sound';
  }

  #isRemembered(octets: Buffer, start: number, end: number): boolean {
    const block = this.#rememberedBlock;
    if (end - start !== block.length || this.#hpack.generation !== this.#rememberedGeneration) return false;
    for (let i = 0; i < block.length; i++) if (octets[start + i] !== block[i]) return false;
    return true;
  }

  #remember(head: RequestHead, block: Buffer): void {
    this.#rememberedHead = head;
    this.#rememberedBlock = keptCopy(block);
    this.#rememberedGeneration = this.#hpack.generation;
  }
}
