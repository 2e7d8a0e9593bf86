import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../oracle/fault.ts';
import type { Recorder } from '../recorder.ts';
import { steps } from '../script.ts';
import type { ClientSteps } from './client-steps.ts';

const enough = 2 ** 30;
/** For what goes on beside the loop: decompression. */
const longestMs = 30_000;
const quickTurns = 20;

/** A client that waits until all its calls have ended, and does what it can for it. Throws when it waits in vain. */
export async function wrapUp(recorder: Recorder, client: ClientSteps, patienceMs = longestMs): Promise<void> {
  const { state } = client;
  recorder.step(steps.CONGEST, 0);
  client.widen(undefined, enough);
  let movedAt = performance.now();
  for (let idle = 0; ; idle++) {
    const isMoving = advance(client);
    recorder.feed(recorder.unfed);
    recorder.step(steps.ANSWER_ALL);
    await recorder.turn();
    const hasRead = state.read(Number.POSITIVE_INFINITY) > 0;
    client.acknowledge();
    if (state.active.size === 0 && recorder.unfed === 0) return;
    if (isMoving || hasRead) {
      idle = 0;
      movedAt = performance.now();
    } else if (performance.now() - movedAt > patienceMs) throw stuck(client);
    else if (idle > quickTurns) await sleep(Math.min(100, patienceMs / quickTurns));
  }
}

function stuck({ state }: ClientSteps): Fault {
  const calls = [...state.active.values()].map(({ request, ...call }) => ({
    ...call,
    octets: request.body.length,
    fault: request.fault,
  }));
  return new Fault('each call of a sound client ends', JSON.stringify(calls));
}

/** Sends all that may be sent. @returns whether there was anything */
function advance(client: ClientSteps): boolean {
  let isMoving = false;
  for (const call of [...client.state.active.values()]) {
    if (call.granted < enough / 2) client.widen(call, enough);
    while (client.sendData(call) > 0) isMoving = true;
    isMoving = client.end(call) || isMoving;
    if (call.ending === 'never' && call.sent === call.request.body.length) client.reset(call);
  }
  return isMoving;
}
