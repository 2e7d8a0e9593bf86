import { expect, it } from 'vitest';
import { numberArgument } from './number-argument.ts';

const parse = numberArgument(1, 4_294_967_295);

it.each([
  ['1', 1],
  ['007', 7],
  ['4294967295', 4_294_967_295],
])('%s is %i', (text, value) => {
  expect(parse(text)).toBe(value);
});

it.each(['', ' ', '0', '4294967296', '-1', '+1', '1.5', '1e3', '0x10', '1_000', '١', '9'.repeat(400)])(
  '%j is refused with the range',
  (text) => {
    expect(() => parse(text)).toThrow('It must be a whole number from 1 to 4294967295, in decimal digits.');
  },
);
