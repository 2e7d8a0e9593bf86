import { compareAddresses, type IpAddress, isIpv4, parseIpAddress } from './ip-address.ts';
import { addressText } from './ip-text.ts';
import type { Octets } from './octets.ts';

/**
 * The addresses whose first bits are those of `first` (RFC 4632, 3.1; RFC 4291, 2.3). A network is of IPv4 or of IPv6, and
 * has no address of the other: `::/0` is all of IPv6, though IPv4 addresses are written as IPv6 ones here.
 */
export interface IpNetwork {
  /** All bits behind the length are 0. */
  readonly first: IpAddress;
  /** 0 to 128; that of an IPv4 network is 96 more than in its text. */
  readonly length: number;
}

/** What the length of an IPv4 network is more than in its text. */
export const ipv4Offset = 96;

/** The network of this length that an address is in. */
export function networkOf(address: IpAddress, length: number): IpNetwork {
  const first: IpAddress = [
    (address[0] & maskOf(length, 0)) >>> 0,
    (address[1] & maskOf(length, 1)) >>> 0,
    (address[2] & maskOf(length, 2)) >>> 0,
    (address[3] & maskOf(length, 3)) >>> 0,
  ];
  return { first, length };
}

/** The last address of a network. */
export function lastOf({ first, length }: IpNetwork): IpAddress {
  return [
    (first[0] | ~maskOf(length, 0)) >>> 0,
    (first[1] | ~maskOf(length, 1)) >>> 0,
    (first[2] | ~maskOf(length, 2)) >>> 0,
    (first[3] | ~maskOf(length, 3)) >>> 0,
  ];
}

/** The bits of the word at an index that belong to the length. */
function maskOf(length: number, index: number): number {
  const bits = Math.min(Math.max(length - 32 * index, 0), 32);
  return bits === 0 ? 0 : 0xffff_ffff << (32 - bits);
}

/** A network of IPv6 that is larger than all of IPv4 begins elsewhere, as its last bits are 0. */
export function isIpv4Network({ first }: IpNetwork): boolean {
  return isIpv4(first);
}

/** IPv4 before IPv6, then by address; of networks that begin alike the larger one is first. */
export function compareNetworks(a: IpNetwork, b: IpNetwork): number {
  const byFamily = Number(isIpv4Network(b)) - Number(isIpv4Network(a));
  return byFamily || compareAddresses(a.first, b.first) || a.length - b.length;
}

/** Whether all addresses of `inner` are in `outer`. */
export function isWithin(inner: IpNetwork, outer: IpNetwork): boolean {
  if (inner.length < outer.length || isIpv4Network(inner) !== isIpv4Network(outer)) return false;
  return networkOf(inner.first, outer.length).first.every((word, index) => word === outer.first[index]);
}

/** The one text of a network, such as `10.20.0.0/16`, `2001:db8:5::/48`. */
export function networkText(network: IpNetwork): Octets {
  const length = isIpv4Network(network) ? network.length - ipv4Offset : network.length;
  return `${addressText(network.first)}/${length}` as Octets;
}

/** Reads what {@link networkText} wrote. @throws Error for any other text */
export function networkOfText(text: string): IpNetwork {
  const slash = text.indexOf('/');
  const first = parseIpAddress(text.slice(0, slash));
  const length = Number(text.slice(slash + 1));
  if (slash < 0 || first === undefined || !Number.isInteger(length)) throw new Error(`no network: ${text}`);
  return { first, length: isIpv4(first) ? length + ipv4Offset : length };
}
