import { type IpAddress, isIpv4 } from '../../domain/ip-address.ts';
import { ipv4Offset, networkOf, networkText } from '../../domain/ip-network.ts';
import { addressText } from '../../domain/ip-text.ts';
import type { Octets } from '../../domain/octets.ts';
import type { AggregateDocument } from '../rules-document.ts';
import { requestAddress } from './request-address.ts';

/**
 * What a value counts as: the one text of the address that it is, or of that address's network.
 * @returns undefined for a value that is no address, which counts as itself
 */
export type CountedAs = (value: Octets) => Octets | undefined;

/** For rules that read addresses. @param aggregate undefined: each address counts for itself */
export function createCountedAs(aggregate: AggregateDocument | undefined): CountedAs {
  const text = aggregate === undefined ? addressText : aggregatedText(aggregate);
  let last: { readonly value: Octets; readonly counted: Octets | undefined } | undefined;
  return (value) => {
    // A hit asks twice, for its key and for its fingerprint.
    if (last?.value === value) return last.counted;
    const address = requestAddress(value);
    const counted = address && text(address);
    last = { value, counted };
    return counted;
  };
}

function aggregatedText({ ipv4, ipv6 }: AggregateDocument): (address: IpAddress) => Octets {
  const length4 = ipv4 && ipv4 + ipv4Offset;
  return (address) => {
    const length = isIpv4(address) ? length4 : ipv6;
    return length === undefined ? addressText(address) : networkText(networkOf(address, length));
  };
}
