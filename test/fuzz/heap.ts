import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
/** Which no one connection breaks. */
export const heapRule = 'memory does not grow';

const collect = vm.runInNewContext('gc') as () => void;

/** Octets in use when all that can go has gone: objects, and buffers outside of the heap. */
export async function heapInUse(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect();
    // Buffers are let go of in the loop.
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
