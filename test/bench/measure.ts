/** What one row of the table says. */
export interface Measured {
  readonly decisionsPerSecond: number;
  /** CPU microseconds of the service for each decision; where it is measured in this process, of this process. */
  readonly serviceMicros: number;
  /** CPU microseconds of all Redis nodes for each decision. */
  readonly redisMicros?: number;
  /** Hits that went in one script call, on average. */
  readonly hitsPerCall?: number;
  /** Whatever else this scenario shows. */
  readonly note?: string;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  readonly measured: Measured;
}

/** A scenario of the benchmark: it sets up what it needs, measures, and cleans up. Its rows are to be compared. */
export interface Scenario {
  readonly name: string;
  run(): Promise<readonly Row[]>;
}

/** A scenario with one row. */
export function scenario(name: string, run: () => Measured | Promise<Measured>): Scenario {
  return { name, run: async () => [{ name, measured: await run() }] };
}

export const rounds = 5;
const roundMs = 400;

/** The middle one of several rounds, by decisions per second: one disturbed round does not show. */
export function medianRound(measured: readonly Measured[]): Measured {
  const sorted = [...measured].sort((a, b) => a.decisionsPerSecond - b.decisionsPerSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

/** The middle one; of an even number, the upper of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Measures a function that does not wait. It is called with ever larger numbers until a call takes long enough to be
 * measured, which also warms it up.
 * @param work decides so many times
 */
export function measureSync(work: (times: number) => void): Measured {
  let times = 1;
  let perCall = 0;
  for (;;) {
    perCall = timeOf(() => work(times)).wallMs / times;
    if (perCall * times > roundMs / 2) break;
    times *= 2;
  }
  times = Math.max(1, Math.round(roundMs / perCall));
  return medianRound(
    Array.from({ length: rounds }, () => {
      const { wallMs, cpuMs } = timeOf(() => work(times));
      return { decisionsPerSecond: (times / wallMs) * 1000, serviceMicros: (cpuMs / times) * 1000 };
    }),
  );
}

function timeOf(work: () => void): { wallMs: number; cpuMs: number } {
  const cpu = process.cpuUsage();
  const start = performance.now();
  work();
  return { wallMs: performance.now() - start, cpuMs: cpuMsSince(cpu) };
}

export function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Random numbers from 0 to below 1 that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
