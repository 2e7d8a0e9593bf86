import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { preface, types } from '../../support/http2-frames.ts';

/** What a client sent on one connection. */
export interface Recording {
  readonly name: string;
  readonly octets: Buffer;
  /** Where frames begin: the first behind the preface. And where the last one ends. */
  readonly frames: readonly number[];
  /** The highest stream of its own; 0 where there is no HTTP/2. */
  readonly highestId: number;
  /** Sizes of the chunks that came. */
  readonly segments: readonly number[];
}

const folder = fileURLToPath(new URL('../../wire/', import.meta.url));

/** Decompression takes as long as a hundred frames: these are chosen less often. */
const slow = /gzip|connect-node|grpc-java/;
const timesMore = 12;

/** All recordings, most of them several times: to choose from. */
export function loadRecordings(): Recording[] {
  const all = readAll();
  const quick = all.filter(({ name }) => !slow.test(name));
  return [...all, ...Array.from({ length: timesMore }, () => quick).flat()];
}

function readAll(): Recording[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.bin'))
    .sort()
    .map((name) => {
      const octets = readFileSync(folder + name);
      const about = JSON.parse(readFileSync(`${folder}${name.slice(0, -4)}.json`, 'utf8')) as {
        segments: number[];
      };
      const frames = cutFrames(octets);
      return {
        name: name.slice(0, -4),
        octets,
        frames,
        highestId: highestId(octets, frames),
        segments: about.segments,
      };
    });
}

/** One that speaks HTTP/1 is one frame. */
function cutFrames(octets: Buffer): number[] {
  const begins = [preface.length];
  if (!octets.subarray(0, preface.length).equals(preface)) return [0, octets.length];
  for (let at = preface.length; at + 9 <= octets.length; ) {
    at += 9 + octets.readUIntBE(at, 3);
    begins.push(Math.min(at, octets.length));
  }
  return begins;
}

function highestId(octets: Buffer, frames: readonly number[]): number {
  const ids = frames
    .slice(0, -1)
    .filter((at) => octets[at + 3] === types.HEADERS)
    .map((at) => octets.readUInt32BE(at + 5));
  return Math.max(0, ...ids);
}
