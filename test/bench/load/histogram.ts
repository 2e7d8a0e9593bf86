/** Values below this have a bucket each. Above, each doubling of the value has half as many buckets. */
const exactBelow = 256;
const perDoubling = exactBelow / 2;
const exactBits = Math.log2(exactBelow);

/** Buckets for values below 2^32. */
const buckets = exactBelow + (32 - exactBits) * perDoubling;

/** How much a quantile is too large at most, as a share of it. It is never too small. */
export const histogramError = 1 / perDoubling;

/** Counts whole numbers below 2^32, such as microseconds, in buckets that grow with the numbers. */
export class Histogram {
  readonly #counts = new Float64Array(buckets);
  #count = 0;
  #max = 0;

  record(value: number): void {
    const whole = Math.min(Math.max(0, Math.round(value)), 0xffff_ffff);
    const bucket = bucketOf(whole);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count++;
    if (whole > this.#max) this.#max = whole;
  }

  get count(): number {
    return this.#count;
  }

  /** Exact. */
  get max(): number {
    return this.#max;
  }

  /** The value that this share of the values does not exceed; 0 if there are none. */
  quantile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= rank) return Math.min(largestOf(bucket), this.#max);
    }
    return this.#max;
  }
}

function bucketOf(value: number): number {
  if (value < exactBelow) return value;
  const shift = 32 - exactBits - Math.clz32(value);
  return shift * perDoubling + (value >>> shift);
}

/** The largest value of a bucket: a quantile must not make a service look faster than it is. */
function largestOf(bucket: number): number {
  if (bucket < exactBelow) return bucket;
  const shift = Math.floor(bucket / perDoubling) - 1;
  const mantissa = bucket - shift * perDoubling;
  return (mantissa + 1) * 2 ** shift - 1;
}
