import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FlushQueue } from './flush-queue.ts';

it('flushes all that were added in a turn, behind it, and each in order', async () => {
  const queue = new FlushQueue();
  const flushed: string[] = [];
  const connection = (name: string) => ({ flush: () => void flushed.push(name) });
  queue.add(connection('a'));
  queue.add(connection('b'));
  await undefined;
  queue.add(connection('c'));
  expect(flushed).toEqual([]);
  await turn();
  expect(flushed).toEqual(['a', 'b', 'c']);
});

it('what is added by a flush is for the next turn', async () => {
  const queue = new FlushQueue();
  let count = 0;
  const again = {
    flush() {
      count += 1;
      if (count < 3) queue.add(again);
    },
  };
  queue.add(again);
  await turn();
  expect(count).toBe(1);
  await turn();
  await turn();
  expect(count).toBe(3);
});
