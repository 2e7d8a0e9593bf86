const firstMs = 1_000;
const longestMs = 10_000;

/**
 * How long to wait with the refusal of a content, in ms. go-control-plane answers a refusal with the same response, at once:
 * both sides would do nothing else any more. The first is told at once, the same again at a pace that slows down; what the
 * server sends in its place is seen when the refusal is out, so the longest time is short.
 */
export function createRefusalPace(): (contentVersion: string) => number {
  let refused: string | undefined;
  let nextMs = 0;
  return (contentVersion) => {
    if (contentVersion !== refused) {
      refused = contentVersion;
      nextMs = 0;
    }
    const present = nextMs;
    nextMs = present === 0 ? firstMs : Math.min(2 * present, longestMs);
    return present;
  };
}
