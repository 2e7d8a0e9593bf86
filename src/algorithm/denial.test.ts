import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../domain/counting.ts';
import type { Denies, Hit } from '../domain/hit.ts';
import { isDenied, isOver, runningCounts } from './denial.ts';

const hit = (denies: Denies, cost = 1): Hit => ({
  key: 'k',
  fingerprint: 0,
  counting: fixedWindow(60),
  isPerSecond: false,
  cost,
  limit: 10,
  denies,
});
const over = { before: 10, after: 11 };
const within = { before: 9, after: 10 };

describe('isOver', () => {
  it.each([
    ['taking above the limit', 1, 11, true],
    ['taking up to the limit', 1, 10, false],
    ['looking above the limit', 0, 11, true],
    ['giving back, still above the limit', -1, 11, false],
  ])('%s', (_, cost, after, expected) => {
    expect(isOver(hit('always', cost), after)).toBe(expected);
  });
});

describe('isDenied', () => {
  it.each([
    ['nothing is over', [hit('always'), hit('together')], [within, within], false],
    ['an ordinary one is over', [hit('always'), hit('together')], [over, within], true],
    ['one quota of two is over', [hit('together'), hit('together')], [over, within], false],
    ['all quotas are over', [hit('together'), hit('together'), hit('always')], [over, over, within], true],
    ['a quota gives back', [hit('together'), hit('together', -1)], [over, over], false],
    ['a shadow rule is over', [hit('never'), hit('always')], [over, within], false],
    ['an ordinary one can not be read', [hit('always')], [undefined], false],
    ['a quota can not be read', [hit('together'), hit('together')], [over, undefined], false],
    ['another can not be read', [hit('always'), hit('always')], [undefined, over], true],
    ['there are no hits', [], [], false],
    ['one limit of the only quota is over', [hit('together'), hit('with-previous')], [within, over], true],
    [
      'one limit of a quota is over, and the other quota is not',
      [hit('together'), hit('with-previous'), hit('together')],
      [over, over, within],
      false,
    ],
    [
      'of two quotas each has a limit that is over',
      [hit('together'), hit('with-previous'), hit('together'), hit('with-previous')],
      [over, within, within, over],
      true,
    ],
  ] as const)('%s', (_, hits, counts, expected) => {
    expect(isDenied(hits, counts)).toBe(expected);
  });
});

it('runningCounts sums up equal keys, and reads each once', () => {
  const reads: string[] = [];
  const hits = [6, 6, -20, 1].map((cost) => ({ ...hit('always', cost), key: 'a' }));
  const counts = runningCounts([...hits, { ...hit('always', 1), key: 'b' }], 0, ({ key }) => {
    reads.push(key);
    return { window: 0, count: 5 };
  });
  expect(counts.map(({ before, after }) => [before, after])).toEqual([
    [5, 11],
    [11, 17],
    [17, 0],
    [0, 1],
    [5, 6],
  ]);
  expect(reads).toEqual(['a', 'b']);
});
