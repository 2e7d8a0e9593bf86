import { types } from '../../support/http2-frames.ts';
import type { Random } from '../random.ts';
import type { Recorder } from '../recorder.ts';
import type { ClientState } from './client-state.ts';
import { writeFlood } from './floods.ts';
import type { FrameSink } from './frame-sink.ts';

const junk = Buffer.alloc(20_000);
const settingInitialWindow = 4;

/** Breaks a rule of RFC 9113, in one of many ways. */
export function writeWrongFrame(
  sink: FrameSink,
  recorder: Recorder,
  state: ClientState,
  random: Random,
): void {
  const calls = random.oneIn(2) ? state.calls : [...state.active.values()];
  const known = calls.length > 0 ? random.pick(calls).id : 1;
  const id = random.pick([0, known, known, known, 2, state.nextId, state.nextId + 2, 0x7fff_ffff]);
  const choice = random.below(16);
  if (choice === 0) anyFrame(sink, random, id);
  else if (choice === 1) sink.numbers(types.WINDOW_UPDATE, 0, id, random.pick([0, 0x7fff_ffff, 0x8000_0000]));
  else if (choice === 2)
    sink.settings([[random.between(0, 7), random.pick([0, 2, 16_383, 0x8000_0000, 0xffff_ffff])]]);
  else if (choice === 3)
    sink.data(id, random.oneIn(2), junk, 0, random.size(16_384), random.pick([0, 0, 1, 200]));
  else if (choice === 4) sink.headers(id, random.oneIn(2), [['x-late', 'yes']]);
  else if (choice === 5) sink.numbers(types.RST_STREAM, 0, id, random.below(20));
  else if (choice === 6) sink.numbers(types.PRIORITY, 0, id, id, 0);
  else if (choice === 7) sink.frame(types.PRIORITY, 0, id, Buffer.of(0, 0, id >>> 8, id & 0xff, 9));
  else if (choice === 8) sink.frame(types.CONTINUATION, random.pick([0, 4]), id, junk, 0, random.below(30));
  else if (choice === 9)
    sink.frame(
      types.HEADERS,
      random.pick([4, 5, 0, 1, 12, 0x24, 0x2d]),
      id,
      scrambled(random),
      0,
      random.below(60),
    );
  else if (choice === 10) overflowWindow(sink, known);
  else if (choice < 15) writeFlood(sink, state, random, random.oneIn(2) ? id : known);
  else changeUnfed(recorder, random);
}

function anyFrame(sink: FrameSink, random: Random, id: number): void {
  sink.frame(random.below(12), random.below(256), id, scrambled(random), 0, random.size(100));
}

/** Two changes, of which each is allowed. */
function overflowWindow(sink: FrameSink, id: number): void {
  sink.numbers(types.WINDOW_UPDATE, 0, id, 0x7fff_ffff - 65_535);
  sink.settings([[settingInitialWindow, 0x7fff_ffff]]);
}

/** Changes something that is written already, and has not come to the session. */
function changeUnfed(recorder: Recorder, random: Random): void {
  const { script, unfed } = recorder;
  if (unfed === 0) return;
  const at = script.length - 1 - random.below(unfed);
  script.octets[at] = random.oneIn(2)
    ? random.below(256)
    : (script.octets[at] as number) ^ (1 << random.below(8));
}

function scrambled(random: Random): Buffer {
  for (let at = 0; at < 100; at += 4) scratch.writeUInt32BE(random.bits(), at);
  return scratch;
}

const scratch = Buffer.alloc(100);
