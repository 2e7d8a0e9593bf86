import type { Sample } from './metric-family.ts';

/** Upper bounds of the buckets, in order; a Prometheus client's defaults, which the reference uses. */
export const defaultBuckets: readonly number[] = Object.freeze([
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]);

/** Finer, for a store that is asked over a local network. */
export const storeBuckets: readonly number[] = Object.freeze([
  0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
]);

/** Observed values, counted by size. */
export class LatencyHistogram {
  readonly #bounds: readonly number[];
  /** Values up to each bound and above the one before it; the last is for values above all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    // Most values are small, so that the first comparisons decide.
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  /** How many values were observed. */
  get count(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /** `<name>_bucket`, cumulative, then `<name>_sum` and `<name>_count`. */
  *samples(name: string, labels: Readonly<Record<string, string>>): Generator<Sample> {
    let count = 0;
    for (const [index, gained] of this.#counts.entries()) {
      count += gained;
      const le = this.#bounds[index] ?? '+Inf';
      yield { labels: { ...labels, le: String(le) }, value: count, metricName: `${name}_bucket` };
    }
    yield { labels, value: this.#sum, metricName: `${name}_sum` };
    yield { labels, value: count, metricName: `${name}_count` };
  }
}
