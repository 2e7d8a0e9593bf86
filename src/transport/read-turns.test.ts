import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TestConnection } from '../../test/support/http2-connection.ts';
import { frame } from '../../test/support/http2-frames.ts';
import { reply, wholeCall } from '../../test/support/http2-session.ts';
import { ReadTurns } from './read-turns.ts';

describe('reading in turns', () => {
  it('ends after half a millisecond, and goes on when everything else had its turn', async () => {
    const client = new TestConnection({
      answer: (call) => {
        client.elapse(2);
        reply(call, '');
      },
    });
    await client.words();
    for (const id of [1, 3, 5]) client.socket.emit('data', wholeCall(id));
    expect(client.calls).toHaveLength(1);
    expect(client.socket.isPaused()).toBe(true);
    await turn();
    expect(client.calls).toHaveLength(2);
    const words = await client.words();
    expect(client.calls).toHaveLength(3);
    expect(words.filter((word) => word.startsWith('DATA'))).toHaveLength(3);
    expect(client.socket.isPaused()).toBe(false);
  });

  it('gives each connection that waits its turn', async () => {
    const turns = new ReadTurns();
    const told: string[] = [];
    const reader = (name: string) => ({ readOn: () => told.push(name) });
    expect(turns.admits(0)).toBe(true);
    expect(turns.admits(0.4)).toBe(true);
    expect(turns.admits(0.5)).toBe(false);
    turns.wait(reader('a'));
    turns.wait(reader('b'));
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual(['a', 'b']);
    expect(turns.admits(2)).toBe(true);
  });

  it('a client that is gone is not waited for', async () => {
    const client = new TestConnection({ answer: () => client.elapse(2) });
    await client.words();
    for (const id of [1, 3]) client.socket.emit('data', wholeCall(id));
    client.socket.destroy();
    await client.words();
    expect(client.calls).toHaveLength(1);
  });
});

describe('the deadline of a call', () => {
  /** Turns of a loop that never waits. */
  function busyTurns(): ReadTurns {
    const turns = new ReadTurns();
    turns.awakeSince = () => 0;
    return turns;
  }
  const callWithin = (id: number, timeout: string) =>
    wholeCall(id, 'x', { more: [['grpc-timeout', timeout]] });

  it('runs from the middle of the time in which it can have come', async () => {
    const client = new TestConnection({ readTurns: busyTurns() });
    await client.words();
    client.elapse(100);
    await client.send(callWithin(1, '200m'));
    const first = client.calls[0]?.deadline ?? 0;
    client.elapse(10);
    await client.send(callWithin(3, '200m'));
    // Everything was read 10 ms ago, so this one has waited for 5 ms on the average.
    expect((client.calls[1]?.deadline ?? 0) - first).toBe(100 / 2 + 5);
  });

  it('runs from the time when there was nothing left to read', async () => {
    const client = new TestConnection({ readTurns: busyTurns() });
    await client.words();
    const unknown = 0xfa;
    const filler = frame(unknown, 0, 0, Buffer.alloc(65_536 / 8 - 9));
    client.socket.emit('data', Buffer.concat(Array.from({ length: 8 }, () => filler)));
    client.elapse(40);
    await client.send(callWithin(1, '100m'));
    client.elapse(0);
    await client.send(callWithin(3, '100m'));
    const [first, second] = client.calls.map(({ deadline }) => deadline ?? 0);
    expect((second ?? 0) - (first ?? 0)).toBe(20);
  });
});
