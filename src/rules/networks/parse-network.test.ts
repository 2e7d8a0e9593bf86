import { describe, expect, it } from 'vitest';
import { parseIpAddress } from '../../domain/ip-address.ts';
import { isWithin, networkOf, networkOfText, networkText } from '../../domain/ip-network.ts';
import { parseNetwork } from './parse-network.ts';

describe('a network of a configuration', () => {
  it.each([
    ['10.20.0.0/16', '10.20.0.0/16', false],
    ['10.20.3.4', '10.20.3.4/32', false],
    ['0.0.0.0/0', '0.0.0.0/0', false],
    ['::ffff:10.20.0.0/112', '10.20.0.0/16', false],
    ['::ffff:0:0/96', '0.0.0.0/0', false],
    ['2001:DB8:0005::/48', '2001:db8:5::/48', false],
    ['2001:db8::1', '2001:db8::1/128', false],
    ['::/0', '::/0', false],
    ['10.20.3.4/16', '10.20.0.0/16', true],
    ['2001:db8:5::9/48', '2001:db8:5::/48', true],
    ['::ffff:0:0/95', '::fffe:0:0/95', true],
  ])('%s is %s, with bits behind its length: %s', (text, canonical, hasHostBits) => {
    const parsed = parseNetwork(text);
    expect(parsed).toMatchObject({ kind: 'network', hasHostBits });
    if (parsed.kind !== 'network') return;
    expect(networkText(parsed.network)).toBe(canonical);
    expect(networkOfText(canonical)).toEqual(parsed.network);
  });

  it.each([
    ['10.0.0.0/33', "the length of '10.0.0.0/33' is a whole number from 0 to 32"],
    ['10.0.0.0/', "the length of '10.0.0.0/' is a whole number from 0 to 32"],
    ['10.0.0.0/08', "the length of '10.0.0.0/08' is a whole number from 0 to 32"],
    ['10.0.0.0/255.0.0.0', "the length of '10.0.0.0/255.0.0.0' is a whole number from 0 to 32"],
    ['::/129', "the length of '::/129' is a whole number from 0 to 128"],
    ...['10.20/16', '010.0.0.0/8', 'fe80::%eth0/10', '::10.0.0.0/104', 'localhost', ''].map((text) => [
      text,
      `'${text}' is no network, such as 10.20.0.0/16 or 2001:db8:5::/48`,
    ]),
  ])('%s: %s', (text, message) => {
    expect(parseNetwork(text as string)).toEqual({ kind: 'fault', message });
  });
});

it.each([
  ['2001:db8:5:1::1', 64, '2001:db8:5:1::/64'],
  ['2001:db8:5:1:ffff::2', 64, '2001:db8:5:1::/64'],
  ['10.20.3.4', 96 + 24, '10.20.3.0/24'],
])('M11: the network of %s with %i bits is %s', (text, length, network) => {
  const address = parseIpAddress(text);
  expect(address && networkText(networkOf(address, length))).toBe(network);
});

it.each([
  ['10.20.0.0/16', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.20.0.0/16', false],
  ['10.0.0.0/8', '::/0', false],
  ['2001:db8::/32', '::/0', true],
])('%s within %s: %s', (inner, outer, within) => {
  expect(isWithin(networkOfText(inner), networkOfText(outer))).toBe(within);
});
