import { preface } from '../../support/http2-frames.ts';
import { Fault } from '../oracle/fault.ts';
import { Player } from '../player.ts';
import type { Random } from '../random.ts';
import { type Script, steps } from '../script.ts';

const mostInChunk = 40;

/**
 * Where the network cuts what a client sends must not matter: once in one chunk, and once in many, the output is equal. Only
 * a client that does not speak HTTP/2 may see a difference, as it is told so as soon as that is known.
 */
export async function checkCuts(script: Script, random: Random): Promise<number> {
  if (!script.octets.subarray(0, preface.length).equals(preface)) return 0;
  const whole = await outputOf(script, () => script.length);
  const cut = await outputOf(script, () => 1 + random.size(mostInChunk));
  if (whole.hash !== cut.hash) throw new Fault('it does not matter where octets are cut');
  return whole.frames + cut.frames;
}

async function outputOf(script: Script, nextSize: () => number): Promise<{ hash: number; frames: number }> {
  let hash = 0;
  const add = (value: number) => {
    hash = Math.imul(hash ^ value, 0x01000193) >>> 0;
  };
  const { seed, profile, octets, length } = script;
  const player = new Player({
    seed,
    profile,
    onServerFrame: (type, flags, id, payload, start, end) => {
      add(type * 256 + flags);
      add(id);
      for (let at = start; at < end; at++) add(payload[at] as number);
    },
  });
  for (let at = 0; at < length; ) {
    const size = Math.min(nextSize(), length - at);
    player.step(steps.FEED, size, octets, at);
    at += size;
  }
  // What goes on beside the loop comes at times of its own.
  const { frames } = player;
  const seen = hash;
  await player.finish();
  return { hash: seen, frames };
}
