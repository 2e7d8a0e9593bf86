/** How the hits of one descriptor are told apart in statistics. */
export interface HitSplit {
  readonly withinLimit: number;
  readonly nearLimit: number;
  readonly overLimit: number;
}

/**
 * Splits hits as the reference's statistics do: those of a call that crosses the limit are partly over and partly near,
 * and then not within. `near` is a part of `within` otherwise.
 * @param nearLimitRatio NEAR_LIMIT_RATIO; the threshold is computed in single precision, as the reference does
 */
export function splitHits(
  { before, after }: { readonly before: number; readonly after: number },
  hits: number,
  limit: number,
  nearLimitRatio: number,
): HitSplit {
  if (after > limit && before >= limit) return { withinLimit: 0, nearLimit: 0, overLimit: hits };
  const threshold = Math.floor(Math.fround(Math.fround(limit) * Math.fround(nearLimitRatio)));
  if (after > limit) {
    return { withinLimit: 0, nearLimit: limit - Math.max(threshold, before), overLimit: after - limit };
  }
  return { withinLimit: hits, nearLimit: Math.max(0, after - Math.max(threshold, before)), overLimit: 0 };
}
