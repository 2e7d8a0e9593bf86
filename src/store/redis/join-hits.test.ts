import { describe, expect, it } from 'vitest';
import { fixedWindow } from '../../domain/counting.ts';
import type { Hit } from '../../domain/hit.ts';
import { joinHits } from './join-hits.ts';
import { HitCall, HitTask } from './task.ts';

const maxUint32 = 2 ** 32 - 1;

function join(...hits: Pick<Hit, 'key' | 'fingerprint' | 'cost'>[]): [string, number][] {
  const call = new HitCall(hits.length, 0, () => {});
  const tasks = hits.map((rest, index) => {
    return new HitTask(
      { counting: fixedWindow(60), isPerSecond: false, limit: 10, denies: 'always', ...rest },
      index,
      call,
    );
  });
  return joinHits(tasks).map(({ key, cost }) => [key, cost]);
}
const a = (cost: number) => ({ key: 'a', fingerprint: 1, cost });
const b = (cost: number) => ({ key: 'b', fingerprint: 2, cost });

describe('joinHits', () => {
  it.each([
    ['taking and looking join', [1, 0, 2], [3]],
    ['giving back stands alone', [1, -1, -1, 2, 3], [1, -1, -1, 5]],
    ['a sum stays a cost', [maxUint32, 1, 0], [maxUint32, 1]],
  ])('%s', (_, costs, joined) => {
    expect(join(...costs.map(a)).map(([, cost]) => cost)).toEqual(joined);
  });

  it('joins over hits on other keys', () => {
    expect(join(a(1), b(2), a(3), b(4))).toEqual([
      ['a', 4],
      ['b', 6],
    ]);
  });

  it('never joins different keys, though their fingerprints be the same', () => {
    expect(join(a(1), { ...b(2), fingerprint: 1 }, a(3))).toEqual([
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ]);
  });

  it('never joins different keys that share a place in the table', () => {
    const sharing = (n: number) => ({ key: `key ${n}`, fingerprint: n << 28, cost: 1 });
    const hits = Array.from({ length: 16 }, (_, n) => sharing(n));
    expect(join(...hits)).toEqual(hits.map(({ key, cost }) => [key, cost]));
  });

  it('begins anew with each call', () => {
    expect(join(a(1))).toEqual([['a', 1]]);
    expect(join(a(1))).toEqual([['a', 1]]);
  });
});
