import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type IpAddress, isIpv4 } from '../../src/domain/ip-address.ts';
import { isIpv4Network, lastOf, networkOf } from '../../src/domain/ip-network.ts';
import { createNetworkIndex, type PlacedNetwork } from '../../src/rules/networks/network-index.ts';
import { atOnce } from '../../src/rules/steps.ts';

/** Few different bits, so that networks overlap and addresses are in them; half of them of IPv4. */
const word = fc.oneof(fc.constantFrom(0, 1, 0xffff, 0x8000_0000, 0xffff_ffff), fc.nat(0xffff_ffff));
const ipv6 = fc.tuple(word, word, word, word);
const ipv4 = word.map((last): IpAddress => [0, 0, 0xffff, last]);
const lengths = (least: number) =>
  fc.oneof(fc.integer({ min: least, max: 128 }), fc.constantFrom(least, 96, 128));
const network = fc.oneof(
  fc.tuple(ipv6, lengths(0)).map(([address, length]) => networkOf(address, length)),
  fc.tuple(ipv4, lengths(96)).map(([address, length]) => networkOf(address, length)),
);

const numberOf = (words: IpAddress) => words.reduce((number, one) => (number << 32n) | BigInt(one), 0n);

/** The address that is so many places further on; undefined where there is none. */
function neighbour(address: IpAddress, by: bigint): IpAddress | undefined {
  const number = numberOf(address) + by;
  if (number < 0n || number >> 128n !== 0n) return undefined;
  return [96n, 64n, 32n, 0n].map((shift) => Number((number >> shift) & 0xffff_ffffn)) as unknown as IpAddress;
}

/** The plain second implementation: looks at every network. */
function findPlainly(placed: readonly PlacedNetwork<number>[], address: IpAddress): number | undefined {
  let found: PlacedNetwork<number> | undefined;
  for (const one of placed) {
    const { first, length } = one.network;
    const shift = BigInt(128 - length);
    const isIn = numberOf(address) >> shift === numberOf(first) >> shift;
    if (!isIn || isIpv4(address) !== isIpv4Network(one.network)) continue;
    if (found === undefined || length >= found.network.length) found = one;
  }
  return found?.target;
}

it('an index finds the smallest network around an address, or none', () => {
  fc.assert(
    fc.property(
      fc.array(network, { maxLength: 12 }),
      fc.array(fc.oneof(ipv4, ipv6), { minLength: 1 }),
      (networks, more) => {
        const placed = networks.map((one, target) => ({ network: one, target }));
        const index = atOnce(createNetworkIndex(placed));
        const edges = networks.flatMap((one) => {
          const last = lastOf(one);
          return [one.first, last, neighbour(one.first, -1n) ?? last, neighbour(last, 1n) ?? last];
        });
        for (const one of [...more, ...edges]) expect(index.find(one)?.target).toBe(findPlainly(placed, one));
      },
    ),
    { numRuns: 2_000 },
  );
});
