/** The thread of the watchdog. */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const { beats, how, patienceMs } = workerData as { beats: Int32Array; how: string; patienceMs: number };

const lookMs = 500;

parentPort?.postMessage('ready');

let seen = 0;
let since = performance.now();

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== seen) since = performance.now();
  seen = beat;
  if (performance.now() - since < patienceMs) return;
  // Not console, which needs the thread that hangs.
  writeSync(2, `FAULT a connection does not end in ${patienceMs} ms: ${how} --iteration ${beats[1]}\n`);
  process.kill(process.pid, 'SIGKILL');
}, lookMs);
