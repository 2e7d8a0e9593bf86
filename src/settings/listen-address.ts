import { BlockList, isIP } from 'node:net';
import { parseGoInteger } from './go-integer.ts';
import { type Parsed, parsed, unreadable } from './parsed.ts';

/**
 * `host:port` as Go's net.Listen reads it: `:9090` (every address), `127.0.0.1:9090`, `[::1]:9090`. Go's names for ports
 * (`:http`) are not read.
 */
export function parseListenAddress(text: string): Parsed<{ readonly host: string; readonly port: number }> {
  const match = /^(?:\[([0-9a-fA-F:.%\w]+)\]|([^:[\]\s]*)):(\d+)$/.exec(text);
  const port =
    match === null ? undefined : parseGoInteger(withoutLeadingZeros(match[3] ?? ''), { min: 0, max: 65_535 });
  if (match === null || port?.ok !== true)
    return unreadable('an address such as :9090, 127.0.0.1:9090 or [::1]:9090');
  return parsed({ host: match[1] ?? match[2] ?? '', port: port.value });
}

/** A port is decimal, and a bare 0 in front would make it octal. */
function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '');
}

/** An address to bind, without the brackets that IPv6 has beside a port. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine can reach what is bound to an address. A name that has to be looked up may be anybody's. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const version = isIP(host);
  return version !== 0 && loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
