import ipaddr from 'ipaddr.js';
import type { IpAddress } from '../../domain/ip-address.ts';
import { type IpNetwork, ipv4Offset, networkOf } from '../../domain/ip-network.ts';

export type ParsedNetwork =
  | {
      readonly kind: 'network';
      readonly network: IpNetwork;
      /** Bits behind the length are set, which is a slip: the address of a host instead of its network's. */
      readonly hasHostBits: boolean;
    }
  | { readonly kind: 'fault'; readonly message: string };

/**
 * Reads a network of a configuration: `10.20.0.0/16`, `2001:db8:5::/48`, or one address. One of IPv4 that is written as
 * IPv6, `::ffff:10.20.0.0/112`, is that of IPv4.
 */
export function parseNetwork(text: string): ParsedNetwork {
  const slash = text.indexOf('/');
  const written = slash < 0 ? text : text.slice(0, slash);
  const read = readAddress(written);
  if (read === undefined) return fault(`'${text}' is no network, such as 10.20.0.0/16 or 2001:db8:5::/48`);
  const { address, bits } = read;
  const length = slash < 0 ? bits : readLength(text.slice(slash + 1), bits);
  if (length === undefined) return fault(`the length of '${text}' is a whole number from 0 to ${bits}`);
  const network = networkOf(address, bits === 32 ? length + ipv4Offset : length);
  return { kind: 'network', network, hasHostBits: network.first.some((word, at) => word !== address[at]) };
}

function fault(message: string): ParsedNetwork {
  return { kind: 'fault', message };
}

/** IPv4 is four decimal numbers. A network has no zone. */
function readAddress(text: string): { readonly address: IpAddress; readonly bits: 32 | 128 } | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return { address: wordsOf(ipaddr.IPv4.parse(text).toIPv4MappedAddress().parts), bits: 32 };
  }
  if (text.includes('%') || hasOtherDots(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  return { address: wordsOf(ipaddr.IPv6.parse(text).parts), bits: 128 };
}

/**
 * The library takes octal and hexadecimal numbers between the dots at the end of an IPv6 address, and `::192.0.2.1` for one
 * of IPv4, which only `::ffff:192.0.2.1` is (RFC 4291, 2.5.5).
 */
function hasOtherDots(text: string): boolean {
  const end = text.slice(text.lastIndexOf(':') + 1);
  return end.includes('.') && (!ipaddr.IPv4.isValidFourPartDecimal(end) || text === `::${end}`);
}

function wordsOf(parts: readonly number[]): IpAddress {
  const word = (index: number) => (parts[index] as number) * 0x1_0000 + (parts[index + 1] as number);
  return [word(0), word(2), word(4), word(6)];
}

/** The number of bits after the slash. @returns undefined where it is none up to `bits` */
export function readLength(text: string, bits: number): number | undefined {
  const length = /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  return length <= bits ? length : undefined;
}
