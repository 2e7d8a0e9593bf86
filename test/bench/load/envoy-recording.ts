import { readFileSync } from 'node:fs';
import { type Frame, frameTypes, readFrames } from './frames.ts';

/**
 * What a connection of Envoy looks like, taken out of a recording of it: the load is then what users' Envoys
 * send.
 */
export interface EnvoyOctets {
  /** The preface, SETTINGS with large windows for the streams, WINDOW_UPDATE for the connection. */
  readonly opening: Buffer;
  /** The header block of the first request, which fills the server's table. */
  readonly firstBlock: Buffer;
  /** The header block of every later request: always the same, as all but the path refers to the table. */
  readonly laterBlock: Buffer;
}

const prefaceLength = 24;

/**
 * Reads the recording of a connection that asked at least twice.
 * @param isWithTimeout whether to take the one with `grpc-timeout: 250m`, as Envoy has it by default, or one
 * without
 */
export function readEnvoyOctets(isWithTimeout: boolean): EnvoyOctets {
  const name = isWithTimeout ? 'envoy-plain.bin' : 'envoy-no-timeout.bin';
  const recording = readFileSync(new URL(`../../wire/${name}`, import.meta.url));
  const frames = recording.subarray(prefaceLength);
  const blocks: Buffer[] = [];
  let openingLength = 0;
  readFrames(frames, frames.length, ({ type, from, to }: Frame) => {
    if (type === frameTypes.headers) blocks.push(frames.subarray(from, to));
    if (blocks.length === 0) openingLength = prefaceLength + to;
  });
  const [firstBlock, laterBlock] = blocks;
  if (firstBlock === undefined || laterBlock === undefined) throw new Error(`${name} has no two requests`);
  return { opening: recording.subarray(0, openingLength), firstBlock, laterBlock };
}
