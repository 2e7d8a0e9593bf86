import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OctetBacklog } from './octet-backlog.ts';

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), count: fc.nat(700) }),
  fc.record({ kind: fc.constant('take' as const), count: fc.nat(900) }),
  fc.record({ kind: fc.constant('takeAll' as const), count: fc.constant(0) }),
  fc.record({ kind: fc.constant('clear' as const), count: fc.constant(0) }),
);

it('gives back what was added, in order, however it is taken', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const backlog = new OctetBacklog();
      let waiting = Buffer.alloc(0);
      let next = 0;
      for (const { kind, count } of steps) {
        if (kind === 'add') {
          const octets = Buffer.from(Array.from({ length: count }, () => next++ & 0xff));
          waiting = Buffer.concat([waiting, octets]);
          backlog.add(Buffer.concat([Buffer.of(1, 2), octets, Buffer.of(3)]), 2, 2 + count);
        } else if (kind === 'take') {
          const pieces: Buffer[] = [];
          let left = count;
          backlog.take((octets, start, end) => {
            const taken = Math.min(left, end - start);
            left -= taken;
            pieces.push(Buffer.from(octets.subarray(start, start + taken)));
            return start + taken;
          });
          const taken = Math.min(count, waiting.length);
          expect(Buffer.concat(pieces).equals(waiting.subarray(0, taken))).toBe(true);
          waiting = waiting.subarray(taken);
        } else if (kind === 'takeAll') {
          expect(backlog.takeAll().equals(waiting)).toBe(true);
          waiting = Buffer.alloc(0);
        } else {
          backlog.clear();
          waiting = Buffer.alloc(0);
        }
        expect(backlog.length).toBe(waiting.length);
      }
    }),
  );
});

it('what is read may be cleared by who reads it', () => {
  const backlog = new OctetBacklog();
  backlog.add(Buffer.from('abc'), 0, 3);
  backlog.take((_octets, start) => {
    backlog.clear();
    return start + 1;
  });
  expect(backlog.length).toBe(0);
});

it('nothing is asked where nothing waits', () => {
  new OctetBacklog().take(() => expect.fail('there is nothing to read'));
});
