import type { Octets } from '../../domain/octets.ts';

/** Turns text as it was written into the octets that it stands for. */
export type Decode = (written: string) => Octets;

/** Octets as characters, as Node gives what came; `%` and two hexadecimal digits stand for any. Another `%` is itself. */
export const percentDecoded: Decode = (written) =>
  written.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  ) as Octets;

/** In a query: `+` is a space, as HTML forms and most libraries write it. */
export const formDecoded: Decode = (written) => percentDecoded(written.replaceAll('+', ' '));

/** What a part of a descriptor says: the value itself, or the header of the request that has it. */
export type WrittenEntry =
  | { readonly key: Octets; readonly value: Octets }
  | { readonly key: Octets; readonly header: string };

/** A header's name (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * One descriptor of `/check`: `key=value,key@header`. The signs between are looked for before anything is decoded, so that
 * what a caller has percent-encoded never becomes one of them.
 * @returns a sentence where the text is none
 */
export function parseWrittenDescriptor(text: string, decode: Decode): readonly WrittenEntry[] | string {
  const entries: WrittenEntry[] = [];
  for (const part of text.split(',')) {
    const at = part.search(/[=@]/);
    if (at < 0)
      return 'each entry is key=value or key@header, and only what is between these signs is encoded';
    // A proxy may join fields of one name with a comma and a space, and what it makes of two descriptors would match nothing.
    if (/^[ \t]|[ \t]$/.test(part.slice(0, at)))
      return 'a key begins and ends without a space; write %20 if that is meant, and give each descriptor a field of its own';
    const key = decode(part.slice(0, at));
    const rest = part.slice(at + 1);
    if (part[at] === '=') entries.push({ key, value: decode(rest) });
    else if (token.test(rest)) entries.push({ key, header: rest.toLowerCase() });
    else return 'the name of a header follows @';
  }
  return entries;
}

/** The values of each field, in order, by its name in lower case. Node gives a character for each octet. */
export function fieldsByName(rawHeaders: readonly string[]): ReadonlyMap<string, readonly Octets[]> {
  const fields = new Map<string, Octets[]>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const values = fields.get(name);
    const value = rawHeaders[i + 1] as Octets;
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return fields;
}
