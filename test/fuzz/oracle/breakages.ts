import { trailersOnly } from '../../../src/transport/grpc/response-blocks.ts';
import { grpcStatus } from '../../../src/transport/grpc-status.ts';
import { indexed } from '../../../src/transport/hpack/hpack-literals.ts';
import { errorCode } from '../../../src/transport/http2/frame.ts';
import { frame, ping, reset, settingsAck, types, windowUpdate } from '../../support/http2-frames.ts';
import type { SingleMode } from '../modes.ts';
import type { SessionMaker } from '../player.ts';
import type { WatchedSession } from '../watched-session.ts';
import {
  after,
  ConfusedSession,
  DeafSession,
  MiserlySession,
  SilentSession,
  StubbornSession,
  TalkativeSession,
} from './broken-sessions.ts';

/** Microseconds. */
function total({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

/** Once is enough for each. */
const slow = new WeakSet<WatchedSession>();

const chunk = Buffer.alloc(16_384);

export interface Breakage {
  readonly what: string;
  readonly mode: SingleMode;
  readonly make: SessionMaker;
  /** The rule that it breaks, or how that begins. */
  readonly rule: string;
}

/** A fault for each rule, to see that it is found. */
export const breakages: readonly Breakage[] = [
  {
    what: 'sends more than the window allows',
    mode: 'mutate',
    make: after(types.HEADERS, (_, out, id) => {
      out.bytes(frame('HEADERS', 4, id, indexed(8)));
      for (let i = 0; i < 5; i++) out.bytes(frame('DATA', 0, id, chunk));
    }),
    rule: 'DATA keeps to the windows',
  },
  {
    what: 'sends larger frames than the client takes',
    mode: 'mutate',
    make: after(types.HEADERS, (_, out) => out.bytes(frame(200, 0, 0, Buffer.alloc(20_000)))),
    rule: 'frames are not too large',
  },
  {
    what: 'ends a response twice',
    mode: 'mutate',
    make: after(types.HEADERS, (_, out, id) => {
      for (let i = 0; i < 2; i++) out.bytes(frame('HEADERS', 5, id, trailersOnly(grpcStatus('OK', ''))));
    }),
    rule: 'nothing is sent on a stream that has ended',
  },
  {
    what: 'resets a stream twice',
    mode: 'mutate',
    make: after(types.DATA, (session, out, id) => {
      session.resetStream(id, errorCode.CANCEL, undefined);
      out.bytes(reset(id));
    }),
    rule: 'a stream is reset once',
  },
  {
    what: 'answers with half a frame',
    mode: 'mutate',
    make: after(types.PING, (_, out) => out.bytes(ping().subarray(0, 12))),
    rule: 'frames are whole',
  },
  {
    what: 'throws',
    mode: 'mutate',
    make: after(types.SETTINGS, () => {
      throw new TypeError('this.x is undefined');
    }),
    rule: 'nothing throws',
  },
  {
    what: 'acknowledges SETTINGS twice',
    mode: 'mutate',
    make: after(types.SETTINGS, (_, out) => out.bytes(settingsAck)),
    rule: 'SETTINGS are acknowledged once',
  },
  {
    what: 'opens its window beyond what it keeps',
    mode: 'mutate',
    make: after(types.HEADERS, (_, out) => out.bytes(windowUpdate(0, 1 << 24))),
    rule: 'no octet is given back twice',
  },
  {
    what: 'never opens its window again',
    mode: 'mutate',
    make: (options) => new MiserlySession(options),
    rule: 'the client is told of the room that there is',
  },
  {
    what: 'goes on after its last word',
    mode: 'mutate',
    make: (options) => new TalkativeSession(options),
    rule: 'nothing is written after the end',
  },
  {
    what: 'ends without a word',
    mode: 'mutate',
    make: (options) => new SilentSession(options),
    rule: 'a session ends with a word',
  },
  {
    what: 'does not end',
    mode: 'mutate',
    make: (options) => new StubbornSession(options),
    rule: 'a session ends with a word',
  },
  {
    what: 'names another last stream',
    mode: 'grammar',
    make: (options) => new ConfusedSession(options),
    rule: 'GOAWAY has the last stream',
  },
  {
    what: 'does not answer PING',
    mode: 'grammar',
    make: (options) => new DeafSession(options),
    rule: 'SETTINGS and PING are answered',
  },
  {
    what: 'loses a place',
    mode: 'mutate',
    make: after(types.DATA, (session) => {
      session.streams.places += 1;
    }),
    rule: 'all places become free',
  },
  {
    what: 'cuts off who keeps to the rules',
    mode: 'grammar',
    make: after(types.PRIORITY, (session) => session.frameTooLarge()),
    rule: 'a client that keeps to the rules is not cut off',
  },
  {
    what: 'forgets calls',
    mode: 'mutate',
    make: after(types.HEADERS, (session, _, id) => {
      const stream = session.streams.get(id);
      if (stream !== undefined && !stream.isWorking) session.streams.remove(stream);
    }),
    rule: 'each request ends once',
  },
  {
    what: 'takes long',
    mode: 'mutate',
    make: after(types.GOAWAY, (session) => {
      if (slow.has(session)) return;
      slow.add(session);
      for (const start = process.threadCpuUsage(); total(process.threadCpuUsage(start)) < 1_100_000; );
    }),
    rule: 'a chunk does not take long',
  },
];
