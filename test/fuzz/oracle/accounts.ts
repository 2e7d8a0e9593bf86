import type { Http2Session } from '../../../src/transport/http2/session.ts';
import type { Http2Stream } from '../../../src/transport/http2/stream.ts';
import type { ClientView } from './client-view.ts';
import { Fault } from './fault.ts';
import type { StreamView } from './stream-view.ts';

/** What a held octet may cost: what was sent is let go of by and by. */
const largestShare = 2;
const sharedBytes = Buffer.from('small').buffer.byteLength;

/** Counts that must be right whenever nothing is going on. Cheap ones, after each step. */
export function checkCounts(session: Http2Session, view: ClientView): void {
  const { limits, streams, outbound } = session;
  const places = Math.max(1_024, limits.maxConcurrentStreams);
  if (streams.places < streams.size || streams.places > places) {
    throw new Fault('places are counted', `${streams.places} for ${streams.size} streams`);
  }
  if (outbound.heldBytes < 0 || outbound.heldBytes > limits.maxUnsentBytes) {
    throw new Fault('what is held is bounded', `${outbound.heldBytes} octets`);
  }
  if (session.state !== 'ended' && view.receiveWindow < 0) throw new Fault('the connection window is kept');
}

/** All streams are looked at: now and then. */
export function checkStreams(session: Http2Session, view: ClientView, isGreeted: boolean): void {
  let held = 0;
  let retained = 0;
  let unreleased = 0;
  for (const stream of session.streams.all()) {
    checkStream(stream, view.streams.get(stream.id), session.limits.streamWindowBytes);
    unreleased += stream.unreleased;
    if (stream.held === undefined) continue;
    const { octets } = stream.held;
    held += octets.length;
    // Small buffers share a larger one with whatever else is small.
    if (octets.buffer.byteLength !== sharedBytes) retained += octets.buffer.byteLength;
  }
  if (held !== session.outbound.heldBytes) throw new Fault('what is held is counted', `${held}`);
  if (retained > largestShare * held) {
    throw new Fault('what is held costs its size', `${retained} octets for ${held}`);
  }
  if (isGreeted && session.state !== 'ended') checkReceived(session, view, unreleased);
}

/** Both ends count the same. */
function checkStream(stream: Http2Stream, seen: StreamView | undefined, window: number): void {
  const { id, sendWindow, receiveWindow, unextended } = stream;
  if (seen === undefined || seen.hasEnded) throw new Fault('streams that have ended are let go of', `${id}`);
  if (seen.receiveWindow < 0) throw new Fault('stream windows are kept', `${id}`);
  if (seen.sendWindow !== sendWindow) throw new Fault('send windows are counted', `${id}`);
  const isCounted = seen.receiveWindow === receiveWindow && receiveWindow + unextended === window;
  if (!isCounted && !seen.clientEnded) throw new Fault('receive windows are counted', `${id}`);
}

/** RFC 9113, 6.9: all octets are with a stream, told to the client, or soon to be told. */
function checkReceived(session: Http2Session, view: ClientView, unreleased: number): void {
  const size = session.limits.connectionWindowBytes;
  const untold = size - view.receiveWindow - unreleased;
  const detail = `window ${view.receiveWindow} of ${size}, ${unreleased} with streams, ${untold} untold`;
  if (untold < 0) throw new Fault('what is received is counted', detail);
  const isLittle = untold < size / 4 && view.receiveWindow > size / 4;
  if (untold > 0 && !isLittle) throw new Fault('the client is told of the room that there is', detail);
}

/** When a connection and all its work have ended. */
export function checkAllEnded(session: Http2Session): void {
  const { streams, outbound } = session;
  if (streams.places !== 0) throw new Fault('all places become free', `${streams.places} are not`);
  if (streams.size !== 0) throw new Fault('all streams are let go of', `${streams.size} are not`);
  if (outbound.heldBytes !== 0) throw new Fault('nothing stays held', `${outbound.heldBytes} octets`);
}

/** When all answers are there: each request has ended, but for those whose client or whose work has not. */
export function checkAllAnswered(session: Http2Session, view: ClientView): void {
  for (const stream of view.streams.values()) {
    if (stream.hasEnded || stream.id > view.lastId) continue;
    const open = session.streams.get(stream.id);
    if (open === undefined) throw new Fault('each request ends once', `stream ${stream.id} has no end`);
    const isWaiting = !open.remoteEnded || open.held !== undefined || open.isWorking;
    if (!isWaiting) throw new Fault('each request is answered', `stream ${stream.id}`);
  }
}
