/** Most buckets of a timeline: as many as a plot has room for. */
export const maxBuckets = 240;

/** Lengths of buckets that people read well; each is a multiple of the one before. After the last they double. */
const widths = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400];

/** Numbers over time, in buckets of one length. */
export interface TimelineSpan {
  /** When the first bucket begins, in ms since the epoch; a multiple of the length. */
  readonly startMs: number;
  readonly bucketSeconds: number;
  readonly buckets: number;
}

/**
 * The time axis that all series of a replay share. Nobody knows beforehand how long a log is, so buckets begin with a
 * second, and whenever they would become too many, neighbours are joined.
 */
export class Timeline {
  readonly #series: Float64Array[] = [];
  #width = 1;
  /** Number of the first bucket, counted from the epoch. */
  #first = 0;
  #used = 0;

  /** A new series of zeros; {@link bucketAt} may join its numbers at any time. */
  addSeries(): Float64Array {
    const series = new Float64Array(maxBuckets);
    this.#series.push(series);
    return series;
  }

  /** The place of a moment in every series. @param timeMs not before any moment that was asked for */
  bucketAt(timeMs: number): number {
    const seconds = Math.floor(timeMs / 1_000);
    if (this.#used === 0) this.#first = seconds;
    let bucket = Math.floor(seconds / this.#width) - this.#first;
    while (bucket >= maxBuckets) {
      this.#widen();
      bucket = Math.floor(seconds / this.#width) - this.#first;
    }
    if (bucket >= this.#used) this.#used = bucket + 1;
    return bucket;
  }

  get span(): TimelineSpan {
    const bucketSeconds = this.#width;
    return { startMs: this.#first * bucketSeconds * 1_000, bucketSeconds, buckets: this.#used };
  }

  #widen(): void {
    const next = widths.find((width) => width > this.#width) ?? this.#width * 2;
    const ratio = next / this.#width;
    const first = Math.floor(this.#first / ratio);
    for (const series of this.#series) {
      for (let bucket = 0; bucket < this.#used; bucket++) {
        const value = series[bucket] as number;
        series[bucket] = 0;
        const joined = Math.floor((this.#first + bucket) / ratio) - first;
        series[joined] = (series[joined] as number) + value;
      }
    }
    this.#used = Math.floor((this.#first + this.#used - 1) / ratio) - first + 1;
    this.#first = first;
    this.#width = next;
  }
}
