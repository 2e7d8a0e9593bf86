import type { ConnectionError } from '../../../src/transport/http2/connection-error.ts';
import type { SessionOptions } from '../../../src/transport/http2/session.ts';
import type { OctetWriter } from '../../../src/transport/octet-writer.ts';
import { ping, types } from '../../support/http2-frames.ts';
import type { SessionMaker } from '../player.ts';
import { WatchedSession } from '../watched-session.ts';

type FrameArguments = Parameters<WatchedSession['frame']>;

/** One whose output is at hand. */
export class WritingSession extends WatchedSession {
  protected readonly out: OctetWriter;

  constructor(options: SessionOptions) {
    super(options);
    this.out = options.out;
  }
}

/** Makes sessions that do something wrong after each frame of a kind whose stream is open. */
export function after(
  type: number,
  fault: (session: WritingSession, out: OctetWriter, id: number) => void,
): SessionMaker {
  class Session extends WritingSession {
    protected override take(...args: FrameArguments): void {
      super.take(...args);
      const [kind, , id] = args;
      const isThere = id === 0 || this.streams.get(id) !== undefined;
      if (kind === type && isThere && this.state === 'open') fault(this, this.out, id);
    }
  }
  return (options) => new Session(options);
}

/** Never lets its client send more. */
export class MiserlySession extends WatchedSession {
  constructor(options: SessionOptions) {
    super(options);
    this.receiveWindow.release = () => {};
  }
}

/** Goes on after its last word. */
export class TalkativeSession extends WritingSession {
  override fail(error: ConnectionError): void {
    super.fail(error);
    this.out.bytes(ping());
  }
}

/** Ends without a word. */
export class SilentSession extends WatchedSession {
  override fail(_error: ConnectionError): void {
    this.end();
  }
}

/** Says that it ends, and does not. */
export class StubbornSession extends WatchedSession {
  override end(): void {}
}

/** Names another last stream. */
export class ConfusedSession extends WatchedSession {
  override lastCalls(): void {
    if (this.state === 'draining') this.streams.lastTakenId = 0x7fff_fffd;
    super.lastCalls();
  }
}

/** Does not answer. */
export class DeafSession extends WatchedSession {
  protected override take(...args: FrameArguments): void {
    if (args[0] !== types.PING) super.take(...args);
  }
}

const kept: Buffer[] = [];

/** Keeps something of each frame. */
export class GrowingSession extends WatchedSession {
  protected override take(...args: FrameArguments): void {
    super.take(...args);
    kept.push(Buffer.allocUnsafeSlow(4_096));
  }
}

/** Lets go of what the sessions that grow have kept. */
export function letGoOfKept(): void {
  kept.length = 0;
}
