import { types } from '../../support/http2-frames.ts';
import type { Random } from '../random.ts';
import type { Script } from '../script.ts';

/** Changes a frame that lies at the end of the script, from `at` on. */
type Mutation = (script: Script, at: number, random: Random) => void;

const headBytes = 9;
const edges = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];
const lengths = [0, 1, 4, 5, 8, 16_383, 16_384, 16_385, 0xff_ffff];
const increments = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 65_535, 16_384];

function flipBits(script: Script, at: number, random: Random): void {
  for (let count = 1 + random.size(8); count > 0; count--) {
    const place = at + random.below(script.length - at);
    script.octets[place] = (script.octets[place] as number) ^ (1 << random.below(8));
  }
}

function setOctet(script: Script, at: number, random: Random): void {
  script.octets[at + random.below(script.length - at)] = random.pick(edges);
}

/** The frames that follow are read from another place. */
function changeLength(script: Script, at: number, random: Random): void {
  const length = script.octets.readUIntBE(at, 3);
  const changed = random.oneIn(3) ? random.pick(lengths) : length + random.between(-3, 3);
  script.octets.writeUIntBE(Math.max(0, changed), at, 3);
}

function shorten(script: Script, at: number, random: Random): void {
  const payload = script.length - at - headBytes;
  if (payload === 0) return;
  script.length -= 1 + random.below(payload);
  script.octets.writeUIntBE(script.length - at - headBytes, at, 3);
}

function lengthen(script: Script, at: number, random: Random): void {
  const more = 1 + random.size(300);
  script.reserve(more);
  for (let i = 0; i < more; i++) script.octets[script.length++] = random.below(256);
  script.octets.writeUIntBE(script.length - at - headBytes, at, 3);
}

function changeType(script: Script, at: number, random: Random): void {
  script.octets[at + 3] = random.oneIn(8) ? random.below(256) : random.below(10);
}

function changeFlags(script: Script, at: number, random: Random): void {
  const flags = script.octets[at + 4] as number;
  script.octets[at + 4] = random.oneIn(4) ? random.below(256) : flags ^ random.pick([1, 4, 8, 0x20]);
}

function changeStream(script: Script, at: number, random: Random): void {
  const id = script.octets.readUInt32BE(at + 5);
  const changed = random.pick([
    0,
    1,
    id + 1,
    id + 2,
    Math.max(0, id - 2),
    id + 4,
    id ^ 0x8000_0000,
    0x7fff_ffff,
    random.size(400),
  ]);
  script.octets.writeUInt32BE(changed >>> 0, at + 5);
}

/** Numbers that windows and settings can be. */
function changeNumber(script: Script, at: number, random: Random): void {
  const type = script.octets[at + 3];
  const place = type === types.SETTINGS ? headBytes + 2 + 6 * random.below(4) : headBytes;
  if (at + place + 4 > script.length) return;
  script.octets.writeUInt32BE(random.oneIn(2) ? random.pick(increments) : random.size(2 ** 31), at + place);
}

function scramble(script: Script, at: number, random: Random): void {
  const start = at + headBytes + random.below(Math.max(1, script.length - at - headBytes));
  for (let place = start; place < script.length; place++) script.octets[place] = random.below(256);
}

function repeat(script: Script, at: number, random: Random): void {
  const length = script.length - at;
  // A flood now and then; large frames are not worth it.
  const most = length > 200 ? 3 : random.oneIn(20) ? 1_500 : 4;
  for (let count = 1 + random.size(most); count > 0; count--) script.copy(script.octets, at, at + length);
}

function drop(script: Script, at: number): void {
  script.length = at;
}

export const mutations: readonly Mutation[] = [
  flipBits,
  flipBits,
  flipBits,
  setOctet,
  changeLength,
  shorten,
  lengthen,
  changeType,
  changeFlags,
  changeFlags,
  changeStream,
  changeNumber,
  changeNumber,
  scramble,
  repeat,
  repeat,
  drop,
  drop,
];
