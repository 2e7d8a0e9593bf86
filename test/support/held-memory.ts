import type { RunningWeir } from './start-weir.ts';
import { waitUntil } from './wait-until.ts';

/** What the process does at a signal: it collects all garbage, and says what is left. */
const tellsWhatItHolds = [
  "process.on('SIGUSR2',()=>{gc();gc();",
  "const{heapUsed,external}=process.memoryUsage();console.log('held:'+(heapUsed+external))})",
].join('');

/** NODE_OPTIONS of a service that can be asked for {@link heldBytes}. */
export const tellingNodeOptions = `--expose-gc --import="data:text/javascript,${tellsWhatItHolds}"`;

/** Memory that is in use when all garbage is collected: objects and buffers. */
export async function heldBytes(weir: RunningWeir): Promise<number> {
  const told = () => weir.lines.filter((line) => line.startsWith('held:'));
  const before = told().length;
  weir.signal('SIGUSR2');
  const line = await waitUntil('what the service holds', () => told()[before]);
  return Number(line.slice('held:'.length));
}
