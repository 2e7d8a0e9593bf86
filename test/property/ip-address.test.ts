import { isIP } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { type IpAddress, isIpv4, parseIpAddress } from '../../src/domain/ip-address.ts';
import { addressText } from '../../src/domain/ip-text.ts';
import { parseNetwork } from '../../src/rules/networks/parse-network.ts';

const nearly = fc
  .array(
    fc.constantFrom(':', '::', '.', '0', '1', 'ff', 'FfFf', '12345', '255', '256', '1.2.3.4', '%', 'g', ' '),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));
const whole = fc.oneof(
  fc.ipV6(),
  fc.ipV4(),
  fc.ipV4().map((text) => `::ffff:${text}`),
);
const cut = fc
  .tuple(whole, fc.nat(40), fc.constantFrom('', ':', '.', '0', 'a', '%x'))
  .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at));

const kinds = [
  ['addresses', whole],
  ['what is nearly one', fc.oneof(nearly, cut)],
  ['other text', fc.string()],
] as const;

/** What tells for Node and the library apart. Whatever stands behind the percent sign is a zone here, unless there is nothing. */
const withoutZone = (text: string) => text.replace(/(?<=:.*)%.+$/s, '');

describe.each(kinds)('%s', (_, texts) => {
  it('are addresses exactly where Node says so', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const plain = withoutZone(text);
        expect([text, parseIpAddress(text) !== undefined]).toEqual([text, isIP(plain) !== 0]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are the addresses that the library reads, where both read one', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const own = parseIpAddress(text);
        const library = byLibrary(text);
        if (own !== undefined && library !== undefined) expect([text, own]).toEqual([text, library]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('have the text that URLs give them, or the library where they are of IPv4', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const address = parseIpAddress(text);
        if (address === undefined) return;
        const expected = isIpv4(address)
          ? ipaddr.process(withoutZone(text)).toString()
          : new URL(`http://[${withoutZone(text)}]`).hostname.slice(1, -1);
        expect(addressText(address)).toBe(expected);
        expect(parseIpAddress(addressText(address))).toEqual(address);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are the same in a configuration as in a request', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseNetwork(text);
        if (parsed.kind !== 'network' || text.includes('/')) return;
        expect([text, parseIpAddress(text)]).toEqual([text, parsed.network.first]);
      }),
      { numRuns: 3_000 },
    );
  });
});

/** It takes more forms of IPv4, and `::1.2.3.4` for one, which only `::ffff:1.2.3.4` is (RFC 4291, 2.5.5.1). */
function byLibrary(text: string): IpAddress | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return wordsOf(ipaddr.IPv4.parse(text).toIPv4MappedAddress().parts);
  }
  if (/^::\d+\./.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  return wordsOf(ipaddr.IPv6.parse(text).parts);
}

function wordsOf(parts: readonly number[]): IpAddress {
  const word = (index: number) => (parts[index] as number) * 0x1_0000 + (parts[index + 1] as number);
  return [word(0), word(2), word(4), word(6)];
}
