import { type IpAddress, parseIpAddress } from '../../domain/ip-address.ts';
import type { Octets } from '../../domain/octets.ts';

const port = /^:\d{1,5}$/;

/**
 * The address that a value of a request is. Some proxies write the port of the connection behind it, `192.0.2.1:49152`,
 * `[2001:db8::1]:49152`, which is no part of it: each connection would otherwise be somebody else.
 * @returns undefined for any other value, which is no fault: who asks chooses what to send
 */
export function requestAddress(value: Octets): IpAddress | undefined {
  if (value.startsWith('[')) return bracketedAddress(value);
  const colon = value.indexOf(':');
  if (colon < 0 || value.indexOf(':', colon + 1) >= 0) return parseIpAddress(value);
  return port.test(value.slice(colon)) ? parseIpAddress(value.slice(0, colon)) : undefined;
}

/** Only IPv6 is put in brackets (RFC 3986, 3.2.2). */
function bracketedAddress(value: Octets): IpAddress | undefined {
  const close = value.indexOf(']');
  const inside = value.slice(1, close);
  const after = value.slice(close + 1);
  if (close < 0 || !inside.includes(':') || (after !== '' && !port.test(after))) return undefined;
  return parseIpAddress(inside);
}
