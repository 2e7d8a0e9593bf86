import { type Parsed, parsed, unreadable } from './parsed.ts';

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal =
  /^([+-]?)0[xX]((?:_?[0-9a-fA-F])*)(?:\.((?:[0-9a-fA-F](?:_?[0-9a-fA-F])*)?))?[pP]([+-]?\d+)$/;

/**
 * A number as Go's strconv.ParseFloat reads it, decimal (`0.8`, `.8`, `8e-1`) or hexadecimal (`0x1.8p-1`). Go's `NaN` and
 * `Inf` are not accepted: no setting has a meaning for them. -0 becomes 0.
 */
export function parseGoFloat(text: string): Parsed<number> {
  const value = decimal.test(text) ? Number(text) : hexadecimalValue(text);
  return value !== undefined && Number.isFinite(value)
    ? parsed(value + 0)
    : unreadable('a number such as 0.8');
}

function hexadecimalValue(text: string): number | undefined {
  const match = hexadecimal.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = ''] = match.map((part = '') =>
    part.replaceAll('_', ''),
  );
  if (whole + fraction === '') return undefined;
  const value = Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}
