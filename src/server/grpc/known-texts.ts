import { type Octets, octetsAt } from '../../domain/octets.ts';

const slotCount = 256;
const maxLength = 64;

/**
 * Texts that come again and again: domains, and the keys of entries. Finding one costs less than making it, and it has been
 * hashed already when it is looked up. There are as many as slots, each kept until another one takes its slot.
 */
export class KnownTexts {
  readonly #texts = new Array<Octets>(slotCount).fill('' as Octets);

  /** The text in these octets. */
  at(octets: Buffer, start: number, end: number): Octets {
    const length = end - start;
    if (length > maxLength) return octetsAt(octets, start, end);
    let hash = length;
    for (let at = start; at < end; at++) hash = (31 * hash + (octets[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 8)) & (slotCount - 1);
    const known = this.#texts[slot] as Octets;
    if (isText(known, octets, start, length)) return known;
    const text = octetsAt(octets, start, end);
    this.#texts[slot] = text;
    return text;
  }
}

function isText(text: Octets, octets: Buffer, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== octets[start + i]) return false;
  return true;
}
