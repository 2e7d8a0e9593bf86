import { compareAddresses, type IpAddress, isIpv4 } from '../../domain/ip-address.ts';
import { compareNetworks, type IpNetwork, isIpv4Network, lastOf } from '../../domain/ip-network.ts';
import type { Steps } from '../steps.ts';

/** A network, and what it stands for. */
export interface PlacedNetwork<T> {
  readonly network: IpNetwork;
  readonly target: T;
}

/**
 * Finds the smallest of many networks that an address is in. Networks lie within each other or apart, so they cut all
 * addresses into segments, each with the smallest network around it: ten thousand networks are searched in fifteen steps,
 * each of which compares numbers that lie one after another.
 */
export interface NetworkIndex<T> {
  /** Of equal networks the one that was given last. */
  find(address: IpAddress): PlacedNetwork<T> | undefined;
}

/** Networks that are put into segments between two steps. */
const networksInStep = 500;

/** It takes longer where networks are not in the order of their addresses. */
export function* createNetworkIndex<T>(placed: readonly PlacedNetwork<T>[]): Steps<NetworkIndex<T>> {
  const ipv4 = yield* createTable(placed.filter(({ network }) => isIpv4Network(network)));
  const ipv6 = yield* createTable(placed.filter(({ network }) => !isIpv4Network(network)));
  return Object.freeze({
    find: (address: IpAddress) => findIn(isIpv4(address) ? ipv4 : ipv6, address),
  });
}

/** The segments of one family in order. */
interface Table<T> {
  /** First addresses, four words each. */
  readonly starts: Uint32Array;
  /** undefined: the segment is in no network. */
  readonly found: readonly (PlacedNetwork<T> | undefined)[];
}

function findIn<T>({ starts, found }: Table<T>, address: IpAddress): PlacedNetwork<T> | undefined {
  let low = 0;
  let high = found.length;
  // The last segment that begins at or before the address.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(starts, middle * 4, address) <= 0) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : found[low - 1];
}

function compareAt(starts: Uint32Array, at: number, address: IpAddress): number {
  for (let word = 0; word < 4; word++) {
    const difference = (starts[at + word] as number) - (address[word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

interface Segment<T> {
  readonly start: IpAddress;
  found: PlacedNetwork<T> | undefined;
}

function* createTable<T>(placed: readonly PlacedNetwork<T>[]): Steps<Table<T>> {
  const segments = yield* cutIntoSegments(placed);
  yield;
  const starts = new Uint32Array(segments.length * 4);
  for (const [index, { start }] of segments.entries()) starts.set(start, index * 4);
  return { starts, found: segments.map(({ found }) => found) };
}

/** Goes through the networks from the first address on. */
function* cutIntoSegments<T>(placed: readonly PlacedNetwork<T>[]): Steps<readonly Segment<T>[]> {
  const sorted = placed.toSorted((a, b) => compareNetworks(a.network, b.network));
  const segments: Segment<T>[] = [];
  /** The networks around the place that was reached, the smallest last, each with its last address. */
  const open: { readonly last: IpAddress; readonly placed: PlacedNetwork<T> }[] = [];

  const begin = (start: IpAddress, found: PlacedNetwork<T> | undefined) => {
    const before = segments.at(-1);
    if (before !== undefined && compareAddresses(before.start, start) === 0) before.found = found;
    else segments.push({ start, found });
  };
  const closeBefore = (next: IpAddress | undefined) => {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      if (next !== undefined && compareAddresses(inner.last, next) >= 0) return;
      open.pop();
      const after = addressAfter(inner.last);
      if (after !== undefined) begin(after, open.at(-1)?.placed);
    }
  };
  for (const [count, one] of sorted.entries()) {
    if (count % networksInStep === 0) yield; // the first time after sorting
    closeBefore(one.network.first);
    begin(one.network.first, one);
    open.push({ last: lastOf(one.network), placed: one });
  }
  closeBefore(undefined);
  return segments;
}

/** undefined after the last address that there is. */
function addressAfter(address: IpAddress): IpAddress | undefined {
  const words: [number, number, number, number] = [...address];
  for (let word = 3; word >= 0; word--) {
    const next = ((words[word] as number) + 1) >>> 0;
    words[word] = next;
    if (next !== 0) return words;
  }
  return undefined;
}
