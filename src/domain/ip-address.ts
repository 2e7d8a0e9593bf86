/**
 * An IP address: four words of 32 bits, the highest first. An IPv4 address is the IPv6 address that stands for it
 * (`::ffff:192.0.2.1`; RFC 4291, 2.5.5.2), so that both texts mean one address.
 */
export type IpAddress = readonly [number, number, number, number];

/** The third word of every IPv4 address. */
const mapped = 0xffff;

/**
 * Reads an address in any of its texts: `192.0.2.1`, `2001:DB8::1`, `::ffff:192.0.2.1`, and with the zone of a link
 * (`fe80::1%eth0`; RFC 4007, 11), which is no part of the address. Numbers of IPv4 are decimal and four; what some programs
 * take besides (`127.1`, `0x7f.0.0.1`, `010.0.0.1`) means different addresses to different programs, and so none here.
 * Each request may have one to be read, so this is made to be fast; tests compare it with others that read addresses.
 * @returns undefined where the text is none
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const zone = text.indexOf('%');
  if (zone === text.length - 1) return undefined;
  const end = zone < 0 ? text.length : zone;
  if (text.indexOf(':') >= 0) return readIpv6(text, end);
  const ipv4 = zone < 0 ? readIpv4(text, 0, end) : -1;
  return ipv4 < 0 ? undefined : [0, 0, mapped, ipv4];
}

export function isIpv4(address: IpAddress): boolean {
  return address[0] === 0 && address[1] === 0 && address[2] === mapped;
}

/** Negative where `a` comes before `b`. */
export function compareAddresses(a: IpAddress, b: IpAddress): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
}

const colon = 0x3a;
const dot = 0x2e;

/** Four numbers from 0 to 255 in decimal (RFC 3986, 3.2.2, `IPv4address`). @returns -1 where there are none */
function readIpv4(text: string, start: number, end: number): number {
  let address = 0;
  let part = -1;
  let parts = 1;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === dot) {
      if (part < 0 || parts === 4) return -1;
      address = address * 256 + part;
      part = -1;
      parts += 1;
    } else {
      const digit = code - 0x30;
      if (digit < 0 || digit > 9 || part === 0) return -1;
      part = part < 0 ? digit : part * 10 + digit;
      if (part > 255) return -1;
    }
  }
  return part < 0 || parts !== 4 ? -1 : address * 256 + part;
}

/** The groups of the text that is being read, without those that `::` stands for. */
const groups = new Uint16Array(8);

/** Eight groups of hexadecimal digits, `::` for those that are 0, the last two perhaps as IPv4 (RFC 4291, 2.2). */
function readIpv6(text: string, end: number): IpAddress | undefined {
  const isGapFirst = text.charCodeAt(0) === colon;
  if (isGapFirst && text.charCodeAt(1) !== colon) return undefined;
  /** How many groups stand before `::`; -1 where there is none. */
  let gap = isGapFirst ? 0 : -1;
  let at = isGapFirst ? 2 : 0;
  let count = 0;
  while (at < end) {
    const next = readGroup(text, at, end, count);
    if (next < end && text.charCodeAt(next) === dot) {
      const ipv4 = count > 6 ? -1 : readIpv4(text, at, end);
      if (ipv4 < 0) return undefined;
      groups[count] = ipv4 >>> 16;
      groups[count + 1] = ipv4 & 0xffff;
      return wordsOf(count + 2, gap);
    }
    if (next === at || next - at > 4 || count === 8) return undefined;
    count += 1;
    if (next === end) break;
    if (text.charCodeAt(next) !== colon || next + 1 === end) return undefined;
    at = next + 1;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return undefined;
    gap = count;
    at += 1;
  }
  return wordsOf(count, gap);
}

/** Puts the number at `start` into its place. @returns where its digits end; more than four are none */
function readGroup(text: string, start: number, end: number, index: number): number {
  let group = 0;
  let at = start;
  for (; at < end; at++) {
    const digit = hexDigits[text.charCodeAt(at)] ?? noDigit;
    if (digit === noDigit) break;
    group = (group << 4) | digit;
  }
  groups[index] = group;
  return at;
}

function wordsOf(count: number, gap: number): IpAddress | undefined {
  const missing = 8 - count;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  return [wordAt(0, gap, missing), wordAt(2, gap, missing), wordAt(4, gap, missing), wordAt(6, gap, missing)];
}

function wordAt(index: number, gap: number, missing: number): number {
  return groupAt(index, gap, missing) * 0x1_0000 + groupAt(index + 1, gap, missing);
}

function groupAt(index: number, gap: number, missing: number): number {
  if (gap < 0 || index < gap) return groups[index] as number;
  return index < gap + missing ? 0 : (groups[index - missing] as number);
}

/** The value of a character as a hexadecimal digit. */
const noDigit = 16;
const hexDigits = new Uint8Array(256).fill(noDigit);
for (let value = 0; value < 16; value++) {
  hexDigits[value.toString(16).charCodeAt(0)] = value;
  hexDigits[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}
