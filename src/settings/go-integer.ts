import { type Parsed, parsed, unreadable } from './parsed.ts';

/** Go's integer literals: a sign, an optional prefix for the base (a bare 0 is octal), and underscores between digits. */
const literal =
  /^([+-]?)(0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0(?:_?[0-7])+|0|[1-9](?:_?[0-9])*)$/;

export interface Range {
  readonly min: number;
  readonly max: number;
}

/**
 * A whole number as Go's strconv.ParseInt reads it with base 0, which is what envconfig uses: `0x1F90`, `0b11`, `0o17`,
 * `017` (fifteen) and `1_000` are numbers; `08`, `1e3` and `8080 ` are not.
 */
export function parseGoInteger(text: string, range: Range): Parsed<number> {
  const expected = expectation(range);
  const match = literal.exec(text);
  if (match === null) return unreadable(expected);
  const [, sign, digits = ''] = match;
  // BigInt reads all of these bases but the bare octal one, and is exact where Number would round into the range.
  const magnitude = BigInt(digits.replaceAll('_', '').replace(/^0(?=[0-7])/, '0o'));
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < BigInt(range.min) || value > BigInt(range.max)) return unreadable(expected);
  return parsed(Number(value));
}

function expectation({ min, max }: Range): string {
  return max === Number.MAX_SAFE_INTEGER
    ? `a whole number, at least ${min}`
    : `a whole number from ${min} to ${max}`;
}
