import { type CalendarUnit, calendarOf } from '../domain/calendar.ts';
import { type CounterKeys, counterKey } from '../domain/counter-key.ts';
import {
  type Counting,
  calendarWindow,
  fixedWindow,
  slidingWindow,
  type TokenBucket,
  tokenBucket,
} from '../domain/counting.ts';
import type { Entry } from '../domain/descriptor.ts';
import { fingerprintWith, type KeyFingerprint } from '../domain/key-fingerprint.ts';
import type { RateLimit } from '../domain/limit.ts';
import type { RuleLimit } from './rule.ts';
import type { RateLimitDocument } from './rules-document.ts';

/** What tells a rule's counters from others, by a request's entries. */
export interface RuleIdentity {
  /** Set where it is the same for all requests. */
  readonly fixed: string | undefined;
  identityOf(entries: readonly Entry[]): string;
  /** @param seed of the limit */
  fingerprintFrom(seed: KeyFingerprint): (entries: readonly Entry[]) => KeyFingerprint;
}

/** The limits of one rule, none of which is `unlimited`. */
export function compileLimits(
  documents: readonly RateLimitDocument[],
  identity: RuleIdentity,
  keys: CounterKeys,
): RuleLimit[] {
  // One step counts all of them, so they are where one Redis has them all.
  const isPerSecond = documents.every(({ limit }) => limit !== 'unlimited' && limit.windowSeconds === 1);
  return documents.map((document) => {
    const limit = document.limit as RateLimit;
    const counting = countingOf(limit, document.algorithm);
    const capacity = counting.kind === 'token_bucket' ? counting.burst : limit.requestsPerUnit;
    return Object.freeze({
      limit: Object.freeze(limit),
      counting,
      capacity,
      isPerSecond,
      warnings: Object.freeze(
        document.warnAt.map((share) => Object.freeze({ share, above: leastAt(capacity, share) - 1 })),
      ),
      counterKey: keyOf(counting, identity, keys),
      keyFingerprint: identity.fingerprintFrom(seedOf(counting)),
    });
  });
}

function countingOf(limit: RateLimit, algorithm: RateLimitDocument['algorithm']): Counting {
  const { requestsPerUnit, windowSeconds, unit } = limit;
  switch (algorithm.kind) {
    case 'fixed_window':
      return fixedWindow(windowSeconds);
    case 'sliding_window':
      return slidingWindow(windowSeconds);
    case 'calendar_window':
      return calendarWindow(calendarOf(unit as CalendarUnit, algorithm.timeZone));
    case 'token_bucket':
      // The parser has refused those that cannot be counted exactly.
      return tokenBucket(requestsPerUnit, windowSeconds, algorithm.burst) as TokenBucket;
  }
}

/** The least count that is this share of the capacity. The product of a decimal fraction may be just above what it is. */
function leastAt(capacity: number, share: number): number {
  return Math.ceil(capacity * share * (1 - Number.EPSILON * 4));
}

function keyOf(
  counting: Counting,
  { fixed, identityOf }: RuleIdentity,
  keys: CounterKeys,
): RuleLimit['counterKey'] {
  const { id } = counting;
  if (fixed === undefined) return (entries) => counterKey(keys, identityOf(entries), id);
  const key = counterKey(keys, fixed, id);
  return () => key;
}

function seedOf(counting: Counting): KeyFingerprint {
  return counting.kind === 'fixed_window' ? counting.windowSeconds : fingerprintWith(0, counting.id);
}
