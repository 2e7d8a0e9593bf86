import type { Random } from '../random.ts';
import { type Script, steps } from '../script.ts';

/** Sizes of the chunks up to which they go, at random; 0: as recorded, -1: all at once. */
const ways = [-1, -1, 0, 0, 100_000, 2_000, 300, 20];

/** What is left then comes at once. */
const mostChunks = 200;

/** Cuts what a script has into chunks, in one of the ways of a network, and has other things happen between them. */
export function writeChunks(script: Script, segments: readonly number[], random: Random): void {
  const way = random.pick(ways);
  let segment = 0;
  for (let at = 0; at < script.length; ) {
    const left = script.length - at;
    const recorded = segments[segment++ % segments.length] ?? left;
    const wanted = segment > mostChunks ? left : way > 0 ? 1 + random.size(way) : way < 0 ? left : recorded;
    const size = Math.min(left, Math.max(1, wanted));
    script.add(steps.FEED, size);
    at += size;
    if (random.oneIn(3)) writeEvent(script, random);
  }
}

/** What is not the client's doing. */
function writeEvent(script: Script, random: Random): void {
  const choice = random.below(128);
  if (choice < 48) script.add(steps.ANSWER, random.below(1_000));
  else if (choice < 56) script.add(steps.TURN);
  else if (choice < 90) script.add(steps.WAIT, random.size(5_000));
  else if (choice < 110) script.add(steps.TICK);
  else if (choice < 118) script.add(steps.CONGEST, random.below(2));
  else if (choice === 118) script.add(steps.DRAIN);
  else if (choice === 119) script.add(steps.LAST_CALLS);
  else if (choice === 120) script.add(steps.STOP);
  else if (choice === 121 && random.oneIn(4)) script.add(steps.END);
}
