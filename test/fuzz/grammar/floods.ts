import { types } from '../../support/http2-frames.ts';
import type { Random } from '../random.ts';
import type { ClientState } from './client-state.ts';
import type { FrameSink } from './frame-sink.ts';
import { planRequest } from './request.ts';

/** What the limits of a server allow at most is about 1000 of most things. */
const many = 1_200;
const mustHave = 5;
const mostOctets = 40_000;
const junk = Buffer.alloc(mostOctets);

/** From its first octet on the beginning of a message of 64 KiB, and behind its prefix thousands of empty ones. */
const large = Buffer.alloc(mostOctets);
large[2] = 1;

const floods = [
  types.DATA,
  types.SETTINGS,
  types.PING,
  types.WINDOW_UPDATE,
  types.PRIORITY,
  types.RST_STREAM,
  types.HEADERS,
  types.CONTINUATION,
] as const;

/** Many frames of a kind, fewer or more than a server bears. */
export function writeFlood(sink: FrameSink, state: ClientState, random: Random, id: number): void {
  const type = random.pick(floods);
  if (type === types.CONTINUATION) writeContinuations(sink, state, random);
  else if (type === types.HEADERS) writeCalls(sink, state, random);
  else if (type === types.DATA && random.oneIn(2)) writeData(sink, state, random, id);
  else for (let count = random.size(many); count > 0; count--) writeOne(sink, type, id, count);
}

function writeOne(sink: FrameSink, type: (typeof floods)[number], id: number, count: number): void {
  if (type === types.SETTINGS) sink.settings([]);
  else if (type === types.PING) sink.numbers(type, 0, 0, count, 0);
  else if (type === types.PRIORITY) sink.frame(type, 0, id === 0 ? 1 : id, junk, 0, 5);
  else if (type === types.DATA) sink.data(id, false, junk, 0, 0, 0);
  else sink.numbers(type, 0, id, type === types.RST_STREAM ? 8 : 1);
}

/** More than the windows have room for; or nearly. It begins like a large message, or like a thousand empty ones. */
function writeData(sink: FrameSink, state: ClientState, random: Random, id: number): void {
  const start = random.oneIn(2) ? 0 : 3;
  const most = Math.min(state.limits.maxFrameBytes, large.length - start);
  for (let count = random.size(15); count > 0; count--) {
    sink.data(id, false, large, start, start + random.between(most >> 1, most), 0);
  }
}

/** A header block in more parts, or of more octets, than a server bears; or nearly. */
function writeContinuations(sink: FrameSink, state: ClientState, random: Random): void {
  const id = state.nextId;
  const most = random.pick([0, 1, 100, mostOctets]);
  sink.frame(types.HEADERS, 0, id, junk, 0, random.size(most));
  for (let count = random.below(12); count > 0; count--) {
    sink.frame(types.CONTINUATION, 0, id, junk, 0, Math.min(random.size(most), 16_384));
  }
}

/** Calls that are cancelled at once: CVE-2023-44487. Or that are none: CVE-2025-8671. */
function writeCalls(sink: FrameSink, state: ClientState, random: Random): void {
  const isReset = random.oneIn(2);
  // The first are those that a call must have.
  const count = isReset ? mustHave : 1;
  const fields = planRequest(random, state.limits).fields.slice(0, count);
  for (let left = random.size(2 * many); left > 0; left--) {
    const id = state.nextId;
    state.nextId += 2;
    sink.headers(id, false, fields);
    if (isReset) sink.numbers(types.RST_STREAM, 0, id, 8);
  }
}
