import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentIds } from './recent-ids.ts';
import { Http2Stream } from './stream.ts';
import { StreamTable } from './stream-table.ts';

const streamOf = (id: number) =>
  new Http2Stream(id, { now: 0, sendWindow: 1, receiveWindow: 1, contentLength: -1, ended: false });

describe('places', () => {
  it('are taken by open streams', () => {
    const table = new StreamTable(10);
    const [one, three] = [streamOf(1), streamOf(3)];
    table.add(one);
    table.add(three);
    expect([table.places, table.size]).toEqual([2, 2]);
    table.remove(one);
    expect([table.places, table.size, one.isClosed]).toEqual([1, 1, true]);
  });

  it('are kept by closed ones whose work goes on', () => {
    const table = new StreamTable(10);
    const stream = streamOf(1);
    table.add(stream);
    stream.isWorking = true;
    table.remove(stream);
    expect([table.places, table.size]).toEqual([1, 0]);
    table.workEnded(stream);
    table.workEnded(stream);
    expect(table.places).toBe(0);
  });

  it('are not free before the stream is closed, where the work ends first', () => {
    const table = new StreamTable(10);
    const stream = streamOf(1);
    table.add(stream);
    stream.isWorking = true;
    table.workEnded(stream);
    expect(table.places).toBe(1);
    table.remove(stream);
    expect(table.places).toBe(0);
  });
});

describe('identifiers', () => {
  it('above the highest are idle', () => {
    const table = new StreamTable(10);
    table.highestId = 5;
    expect([3, 5, 6, 7].map((id) => table.isIdle(id))).toEqual([false, false, true, true]);
    // Even ones are never opened.
    expect([2, 4].map((id) => table.isIdle(id))).toEqual([true, true]);
  });

  it('that were reset are remembered: the last ones', () => {
    const ids = new RecentIds(3);
    for (const id of [1, 3, 5, 3, 7]) ids.add(id);
    expect([1, 3, 5, 7].map((id) => ids.has(id))).toEqual([false, true, true, true]);
  });
});

it('streams are found as long as they are open, however many there are', () => {
  const ids = fc.uniqueArray(fc.nat(400), { maxLength: 120 });
  fc.assert(
    fc.property(ids, fc.array(fc.nat(119), { maxLength: 200 }), (numbers, removed) => {
      const table = new StreamTable(1_000);
      const streams = numbers.map((number) => streamOf(2 * number + 1));
      for (const stream of streams) table.add(stream);
      const open = new Set(streams);
      for (const index of removed) {
        const stream = streams[index];
        if (stream !== undefined && open.delete(stream)) table.remove(stream);
      }
      for (const stream of streams) expect(table.get(stream.id)).toBe(open.has(stream) ? stream : undefined);
      expect(new Set(table.all())).toEqual(open);
      expect(table.size).toBe(open.size);
    }),
  );
});
