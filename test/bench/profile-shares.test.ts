import { expect, it } from 'vitest';
import { type Profile, sharesOf } from './profile-shares.ts';

const node = (id: number, functionName: string, url: string, ...children: number[]) => ({
  id,
  callFrame: { functionName, url },
  children,
});

const profile: Profile = {
  nodes: [
    node(1, '(root)', '', 2, 3, 7, 8),
    node(2, '(garbage collector)', ''),
    node(3, 'flush', 'file:///weir/src/transport/connection.ts', 4, 6),
    node(4, 'write', 'node:internal/streams/writable', 5),
    node(5, 'writeBuffer', ''),
    node(6, 'copy', ''),
    node(7, '(idle)', ''),
    node(8, 'main', 'file:///weir/src/main.ts'),
  ],
  startTime: 1_000,
  samples: [8, 2, 3, 5, 6, 7, 8, 5],
  timeDeltas: [500, 10, 20, 30, 40, 500, 100, 900],
};

it('shares are by the area of a function, or of its caller, between two moments', () => {
  const shares = sharesOf(profile, 1_505, 2_300);
  expect(Object.fromEntries(shares)).toEqual({
    'all else': 0.5,
    'HTTP/2 frames, streams and windows': 0.3,
    'sockets: Node and the system': 0.15,
    'collecting garbage': 0.05,
  });
  expect([...shares.keys()][0]).toBe('all else');
});
