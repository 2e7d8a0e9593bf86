import { expect, it } from 'vitest';
import { Unfinished } from './unfinished.ts';

it('tells for how long the same thing has been seen', () => {
  const unfinished = new Unfinished();
  const looks: [what: unknown, now: number, forMs: number][] = [
    [undefined, 5, 0],
    ['a', 10, 0],
    ['a', 30, 20],
    ['b', 40, 0],
    ['b', 45, 5],
    [undefined, 50, 0],
    ['b', 60, 0],
    ['b', 61, 1],
  ];
  expect(looks.map(([what, now]) => unfinished.lookAt(what, now))).toEqual(looks.map(([, , forMs]) => forMs));
});
