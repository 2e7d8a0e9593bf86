/**
 * Octets that are kept for as long as a call or a connection lasts, in memory of their own: a part of a larger buffer keeps all
 * of it, and what Node takes from its pool keeps a slab of 64 KiB.
 */
export function keptCopy(octets: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(octets.length);
  octets.copy(copy);
  return copy;
}

/** @see {@link keptCopy} */
export function keptConcat(parts: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) at += part.copy(whole, at);
  return whole;
}
