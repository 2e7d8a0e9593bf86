import { readFileSync } from 'node:fs';

const intervalMs = 10;
const bytesPerMiB = 1_048_576;

/** Looks at the resident memory of a process again and again. */
export interface MemoryWatch extends Disposable {
  /** How far it rose above what it was at the start, in MiB; undefined where the system does not tell. */
  readonly growth: number | undefined;
}

export function watchMemory(pid: number): MemoryWatch {
  const start = residentBytes(pid);
  let peak = start ?? 0;
  const look = () => {
    peak = Math.max(peak, residentBytes(pid) ?? 0);
  };
  const timer = setInterval(look, intervalMs);
  return {
    get growth() {
      look();
      return start === undefined ? undefined : (peak - start) / bytesPerMiB;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Linux tells; elsewhere, and of a process that has ended, nothing is known. */
export function residentBytes(pid: number): number | undefined {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : 1_024 * Number(kibibytes);
  } catch {
    return undefined;
  }
}
