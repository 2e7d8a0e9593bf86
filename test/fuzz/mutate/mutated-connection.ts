import type { Random } from '../random.ts';
import type { Script } from '../script.ts';
import { writeChunks } from './chunks.ts';
import { mutations } from './mutations.ts';
import type { Recording } from './recordings.ts';

/** How many frames of a connection are changed: few, as most changes are its end. */
const changeCounts = [0, 1, 1, 1, 2, 2, 3, 6, 20];

/** Frames of a long connection. */
const mostFrames = 1_500;

const streamAt = 5;

/**
 * Writes a connection that was recorded, or several of them one after another, with some of the frames changed. References
 * of HPACK count from the newest entry, so that a recording means the same behind another one.
 */
export class MutatedConnection {
  readonly #recordings: readonly Recording[];
  readonly #script: Script;
  readonly #random: Random;
  #recording: Recording;
  /** The next frame. */
  #frame = 0;
  /** What is added to the streams of the recording, to be above those before. */
  #idOffset = 0;
  #left = 0;

  constructor(recordings: readonly Recording[], script: Script, random: Random) {
    this.#recordings = recordings;
    this.#script = script;
    this.#random = random;
    this.#recording = random.pick(recordings);
  }

  write(): void {
    const random = this.#random;
    this.#left = random.oneIn(3) ? this.#recording.frames.length : random.size(mostFrames);
    this.#writePreface();
    const total = this.#left;
    for (let changes = random.pick(changeCounts); changes > 0 && this.#left > 0; changes--) {
      this.#copy(random.below(Math.min(total, this.#left) + 1));
      if (random.oneIn(30)) this.#left = 0;
      else if (this.#left > 0) this.#change();
    }
    this.#copy(this.#left);
    writeChunks(this.#script, this.#recording.segments, random);
  }

  #change(): void {
    const random = this.#random;
    const choice = random.below(20);
    if (choice < 2) {
      // The rest is another's; or ours, from another place.
      if (choice === 0) this.#recording = random.pick(this.#recordings);
      this.#frame = random.below(this.#recording.frames.length - 1);
    } else if (choice < 4) this.#swap();
    else {
      const at = this.#script.length;
      this.#copy(1);
      if (this.#script.length > at) random.pick(mutations)(this.#script, at, random);
    }
  }

  #writePreface(): void {
    const { octets, frames } = this.#recording;
    this.#script.copy(octets, 0, frames[0] as number);
    if (!this.#random.oneIn(300)) return;
    const place = this.#random.below(Math.max(1, this.#script.length));
    this.#script.octets[place] = this.#random.below(256);
  }

  /** So many frames as they are, from this recording and those that follow. */
  #copy(count: number): void {
    for (let left = count; left > 0; ) {
      const last = this.#recording.frames.length - 1;
      const taken = Math.min(left, last - this.#frame);
      this.#copyFrames(this.#frame, this.#frame + taken);
      this.#frame += taken;
      left -= taken;
      if (this.#frame < last) continue;
      this.#idOffset += this.#recording.highestId + 1;
      this.#recording = this.#random.pick(this.#recordings);
      this.#frame = 0;
      if (this.#recording.highestId === 0) left -= 1;
    }
    this.#left -= count;
  }

  #copyFrames(from: number, to: number): void {
    if (from >= to) return;
    const script = this.#script;
    const { octets, frames } = this.#recording;
    const start = frames[from] as number;
    const offset = script.length - start;
    script.copy(octets, start, frames[to] as number);
    if (this.#idOffset === 0) return;
    for (let frame = from; frame < to; frame++) {
      const at = (frames[frame] as number) + offset + streamAt;
      if (at + 4 > script.length) return;
      const id = script.octets.readUInt32BE(at);
      if (id > 0) script.octets.writeUInt32BE((id + this.#idOffset) & 0x7fff_ffff, at);
    }
  }

  /** The next frame comes before this one. */
  #swap(): void {
    const next = this.#frame + 1;
    if (next + 1 >= this.#recording.frames.length) return;
    this.#copyFrames(next, next + 1);
    this.#copyFrames(this.#frame, next);
    this.#frame = next + 1;
    this.#left -= 2;
  }
}
