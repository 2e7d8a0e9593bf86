/**
 * Text as a caller sent it, octet by octet: a string with one character (U+0000 to U+00FF) for each octet.
 *
 * Envoy passes header bytes on unchanged, so a descriptor's text need not be valid UTF-8; decoding it would make
 * different values one. In this form it is compared, searched and hashed at the speed of strings and without loss.
 * The type is a brand: text that was written by a person becomes octets through {@link octetsOf}, and only then.
 */
export type Octets = string & { readonly [brand]: never };

declare const brand: unique symbol;

const onlyAscii = /^[\0-\x7f]*$/;

/** The UTF-8 octets of a text. A lone surrogate becomes U+FFFD, as UTF-8 has no form for it. */
export function octetsOf(text: string): Octets {
  return (onlyAscii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')) as Octets;
}

/** The octets of a part of a message. */
export function octetsAt(message: Buffer, start: number, end: number): Octets {
  return message.toString('latin1', start, end) as Octets;
}

/** For people and for fields that must be valid UTF-8: what is not valid becomes U+FFFD. */
export function textOf(octets: Octets): string {
  return onlyAscii.test(octets) ? octets : Buffer.from(octets, 'latin1').toString('utf8');
}
