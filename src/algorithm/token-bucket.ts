import type { TokenBucket } from '../domain/counting.ts';
import type { Counted } from './counted.ts';
import { countAfter } from './fixed-window.ts';

/**
 * Counting in a bucket of tokens, as the generic cell rate algorithm does (ITU-T I.371): the specification. The memory store
 * runs it, and `lua/token_bucket.lua` must equal it (`test/property/algorithms.test.ts`).
 *
 * What is stored is when the bucket will be full again; what is missing until then was taken. So nothing has to be
 * added as time goes by. A hit for which there are not enough tokens takes none, as there is nothing less than empty.
 */

/** A bucket as it is stored: when it will be full, if nobody takes. */
export interface Bucket {
  /** Milliseconds since the epoch, at some time when it was counted on. */
  readonly atMs: number;
  /** What was missing then, in units of its {@link TokenBucket}. */
  readonly missing: number;
}

/**
 * Units that are missing now. By a clock that stepped back a bucket may miss more than it holds: it is then empty, and one
 * that misses more than twice that much is no bucket of these times, and full.
 */
export function missingAt(bucket: Bucket | undefined, nowMs: number, counting: TokenBucket): number {
  if (bucket === undefined) return 0;
  const { burst, unitsPerToken, unitsPerMs } = counting;
  const missing = bucket.missing + (bucket.atMs - nowMs) * unitsPerMs;
  const size = burst * unitsPerToken;
  return missing <= 0 || missing > 2 * size ? 0 : Math.min(missing, size);
}

/** One operation on one bucket. */
export function applyCost(
  bucket: Bucket | undefined,
  nowMs: number,
  counting: TokenBucket,
  cost: number,
): Counted<Bucket> {
  const { burst, unitsPerToken } = counting;
  const found = missingAt(bucket, nowMs, counting);
  const before = Math.ceil(found / unitsPerToken);
  if (cost > burst - before) return { counter: bucket, before, after: countAfter(before, cost) };
  const missing = Math.max(found + cost * unitsPerToken, 0);
  const unchanged = missing === found;
  return {
    counter: unchanged ? bucket : { atMs: nowMs, missing },
    before,
    after: Math.ceil(missing / unitsPerToken),
  };
}

/** Time until the bucket is full. */
export function msUntilFull(bucket: Bucket | undefined, nowMs: number, counting: TokenBucket): number {
  return msFor(missingAt(bucket, nowMs, counting), counting);
}

/** Time until there are so many tokens, if nobody else comes; {@link msUntilFull} when there never are. */
export function msUntilTokens(
  bucket: Bucket | undefined,
  nowMs: number,
  counting: TokenBucket,
  tokens: number,
): number {
  const { burst, unitsPerToken } = counting;
  const missing = missingAt(bucket, nowMs, counting);
  return msFor(tokens > burst ? missing : missing - (burst - tokens) * unitsPerToken, counting);
}

function msFor(units: number, { unitsPerMs }: TokenBucket): number {
  return units <= 0 ? 0 : Math.ceil(units / unitsPerMs);
}
