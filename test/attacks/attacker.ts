/** Makes one attack again and again, in a thread of its own: the good client is not to be held up by it. */
import { parentPort, workerData } from 'node:worker_threads';
import { allAttacks } from './all-attacks.ts';
import type { Seen } from './frame-counter.ts';

/** What the thread is told. */
export interface AttackerData {
  readonly name: string;
  readonly address: string;
  /** The attack is made once more as long as this has not passed; 0: once. */
  readonly ms: number;
}

/** What it tells: `look` is answered before it goes on. */
export type AttackerMessage = 'look' | { readonly totals: Totals };

/** Of all attacks together. */
export interface Totals {
  readonly times: number;
  readonly sent: number;
  readonly octetsSent: number;
  readonly seconds: number;
  readonly last: Seen;
}

if (parentPort !== null) parentPort.postMessage({ totals: await attack(workerData as AttackerData) });

async function attack({ name, address, ms }: AttackerData): Promise<Totals> {
  const found = allAttacks.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no attack ${name}`);
  const start = performance.now();
  let times = 0;
  let sent = 0;
  let octetsSent = 0;
  for (;;) {
    const result = await found.run(address, ms === 0 ? look : async () => {});
    times += 1;
    sent += result.sent;
    octetsSent += result.seen.octetsSent;
    const elapsed = performance.now() - start;
    if (elapsed >= ms) return { times, sent, octetsSent, seconds: elapsed / 1_000, last: result.seen };
  }
}

function look(): Promise<void> {
  return new Promise((resolve) => {
    parentPort?.once('message', () => resolve());
    parentPort?.postMessage('look' satisfies AttackerMessage);
  });
}
