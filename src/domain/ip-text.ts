import { type IpAddress, isIpv4 } from './ip-address.ts';
import type { Octets } from './octets.ts';

/** The one text of an address: IPv4 with dots, IPv6 as RFC 5952, 4 demands. Equal for equal addresses only. */
export function addressText(address: IpAddress): Octets {
  const [, , , last] = address;
  if (isIpv4(address)) {
    return `${last >>> 24}.${(last >>> 16) & 255}.${(last >>> 8) & 255}.${last & 255}` as Octets;
  }
  const { start, length } = longestZeros(address);
  if (length < 2) return joinGroups(address, 0, 8) as Octets;
  return `${joinGroups(address, 0, start)}::${joinGroups(address, start + length, 8)}` as Octets;
}

function groupAt(address: IpAddress, index: number): number {
  const word = address[index >> 1] as number;
  return index % 2 === 0 ? word >>> 16 : word & 0xffff;
}

/** The first of the longest runs of groups that are 0. */
function longestZeros(address: IpAddress): { start: number; length: number } {
  let start = 0;
  let length = 0;
  let run = 0;
  for (let index = 0; index < 8; index++) {
    run = groupAt(address, index) === 0 ? run + 1 : 0;
    if (run <= length) continue;
    length = run;
    start = index + 1 - run;
  }
  return { start, length };
}

function joinGroups(address: IpAddress, start: number, end: number): string {
  let text = '';
  for (let index = start; index < end; index++) {
    text += (index === start ? '' : ':') + groupAt(address, index).toString(16);
  }
  return text;
}
