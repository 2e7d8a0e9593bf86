import { expect, it } from 'vitest';
import { headers, message, paths, TestSession, wholeCall } from '../../../test/support/http2-session.ts';
import type { GrpcCall, GrpcHandler } from '../handler.ts';
import { createGrpcRequests } from './grpc-requests.ts';

/** The names that handlers are told, of a call with one answer and of one with a stream of them. */
async function namesTold(...names: (readonly string[])[]): Promise<unknown[]> {
  const told: unknown[] = [];
  const tell = ({ provenNames }: GrpcCall) => told.push(provenNames);
  const handlers: GrpcHandler[] = [
    {
      path: paths.unary,
      requestStream: false,
      responseStream: false,
      handle: (_message, call) => tell(call),
    },
    {
      path: paths.watch,
      requestStream: false,
      responseStream: true,
      async *handle(_messages, call) {
        tell(call);
        yield* [];
      },
    },
  ];
  const byPath = new Map(handlers.map((handler) => [handler.path, handler]));
  const session = new TestSession({ onRequest: createGrpcRequests(byPath, ...names) });
  session.feed(wholeCall(1), headers(3, { path: paths.watch }), message(3, 'x', true));
  await session.settled();
  return told;
}

it('tells each call what its connection was accepted with', async () => {
  const names = ['envoy.edge.test', 'spiffe://cluster/ns/edge'];
  const told = await namesTold(names);
  expect(told).toEqual([names, names]);
  expect(told.every((one) => one === names)).toBe(true);
});

it('tells no names where it was accepted with none', async () => {
  expect(await namesTold()).toEqual([[], []]);
});
