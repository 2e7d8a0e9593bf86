const half = 65_536;

/**
 * `a * b / c` in whole numbers, though the product may be far beyond 2^53: long multiplication in two halves.
 * @param a 0 to 2^32
 * @param b 0 to 2^35: milliseconds of a year and more
 * @param c 1 to 2^35; the result is to be below 2^48
 */
export function productOver(a: number, b: number, c: number, rounded: 'up' | 'down'): number {
  const low = a % half;
  const high = ((a - low) / half) * b;
  const rest = high % c;
  const lower = rest * half + low * b;
  const remainder = lower % c;
  const quotient = ((high - rest) / c) * half + (lower - remainder) / c;
  return rounded === 'up' && remainder > 0 ? quotient + 1 : quotient;
}
