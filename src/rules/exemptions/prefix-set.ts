import type { Octets } from '../../domain/octets.ts';

/** Some prefixes, the shortest of those that begin with one another. */
export interface PrefixSet {
  /** The prefix that a value begins with. */
  find(value: Octets): Octets | undefined;
}

/** Sorted, so that the last one up to a value is the only one that it can begin with. */
export function createPrefixSet(prefixes: readonly Octets[]): PrefixSet {
  const shortest: Octets[] = [];
  for (const prefix of [...prefixes].sort()) {
    const before = shortest.at(-1);
    if (before === undefined || !prefix.startsWith(before)) shortest.push(prefix);
  }
  return Object.freeze({
    find(value: Octets): Octets | undefined {
      let low = 0;
      let high = shortest.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((shortest[middle] as Octets) <= value) low = middle + 1;
        else high = middle;
      }
      const last = shortest[low - 1];
      return last !== undefined && value.startsWith(last) ? last : undefined;
    },
  });
}
