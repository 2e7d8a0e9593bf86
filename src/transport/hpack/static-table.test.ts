import { expect, it } from 'vitest';
import { staticTable } from './static-table.ts';

it('has 61 fields and no more, for good', () => {
  expect(staticTable).toHaveLength(61);
  expect(Object.isFrozen(staticTable)).toBe(true);
});

it.each([
  [1, ':authority', ''],
  [2, ':method', 'GET'],
  [3, ':method', 'POST'],
  [4, ':path', '/'],
  [7, ':scheme', 'https'],
  [8, ':status', '200'],
  [14, ':status', '500'],
  [15, 'accept-charset', ''],
  [16, 'accept-encoding', 'gzip, deflate'],
  [17, 'accept-language', ''],
  [28, 'content-length', ''],
  [31, 'content-type', ''],
  [38, 'host', ''],
  [53, 'retry-after', ''],
  [54, 'server', ''],
  [58, 'user-agent', ''],
  [61, 'www-authenticate', ''],
])('index %d is %s %s', (index, name, value) => {
  expect(staticTable[index - 1]).toEqual([name, value]);
});

it('has names in order, so that none is missing or misplaced', () => {
  const regular = staticTable.slice(14).map(([name]) => name);
  // The one place where Appendix A is not in the order of ASCII.
  const sorted = regular.toSorted().filter((name) => name !== 'accept');
  sorted.splice(sorted.indexOf('accept-ranges') + 1, 0, 'accept');
  expect(regular).toEqual(sorted);
  expect(new Set(regular).size).toBe(47);
});
