import { preface } from '../support/http2-frames.ts';
import { faultOf } from './oracle/fault.ts';
import { type PlayOptions, play } from './play.ts';
import { Script, type Step, steps } from './script.ts';

interface Item {
  readonly step: Step;
  readonly argument: number;
  readonly octets: Buffer | undefined;
}

const patienceMs = 500;
const headBytes = 9;

/**
 * Takes steps and frames out of a script as long as the same rule is broken, for so long as there is time.
 * @returns undefined when the script alone does not show the fault
 */
export async function shrink(
  script: Script,
  rule: string,
  { makeSession, seconds }: { makeSession?: PlayOptions['makeSession']; seconds: number },
): Promise<Script | undefined> {
  const end = performance.now() + 1000 * seconds;
  const isStillFailing = async (items: readonly Item[]) => {
    const candidate = fromItems(script, items);
    return (await brokenRule(candidate, { makeSession, patienceMs })) === rule;
  };
  let items = inChunks(script);
  if (!(await isStillFailing(items))) return undefined;
  const inFrames = framed(items);
  if (await isStillFailing(inFrames)) items = inFrames;
  for (let size = items.length >> 1; size > 0 && performance.now() < end; ) {
    const before = items.length;
    for (let at = items.length - size; at >= 0 && performance.now() < end; at -= size) {
      const fewer = [...items.slice(0, at), ...items.slice(at + size)];
      if (await isStillFailing(fewer)) items = fewer;
    }
    // Once more with the same size where something went.
    if (items.length === before || size > 1) size >>= 1;
  }
  return fromItems(script, items);
}

async function brokenRule(script: Script, options: PlayOptions): Promise<string | undefined> {
  try {
    await play(script, options);
    return undefined;
  } catch (error) {
    return faultOf(error).rule;
  }
}

function inChunks(script: Script): Item[] {
  const items: Item[] = [];
  let at = 0;
  for (let i = 0; i < script.steps.length; i += 2) {
    const step = script.steps[i] as Step;
    const argument = script.steps[i + 1] as number;
    const octets = step === steps.FEED ? script.octets.subarray(at, at + argument) : undefined;
    at += octets?.length ?? 0;
    items.push({ step, argument, octets });
  }
  return items;
}

/** Each frame comes alone and whole. */
function framed(items: readonly Item[]): Item[] {
  const all: Item[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  const put = (octets: Buffer) => all.push({ step: steps.FEED, argument: octets.length, octets });
  for (const item of items) {
    if (item.octets === undefined) all.push(item);
    else rest = Buffer.concat([rest, item.octets]);
    for (let length = 0; ; ) {
      length = isBegun ? frameLength(rest) : preface.length;
      if (item.octets === undefined || rest.length < length) break;
      put(rest.subarray(0, length));
      rest = rest.subarray(length);
      isBegun = true;
    }
  }
  if (rest.length > 0) put(rest);
  return all;
}

function frameLength(octets: Buffer): number {
  return octets.length < headBytes ? headBytes : headBytes + octets.readUIntBE(0, 3);
}

function fromItems({ seed, profile }: Script, items: readonly Item[]): Script {
  const script = new Script();
  script.clear(seed, profile);
  for (const { step, argument, octets } of items) {
    if (octets !== undefined) script.copy(octets, 0, octets.length);
    script.add(step, argument);
  }
  return script;
}
