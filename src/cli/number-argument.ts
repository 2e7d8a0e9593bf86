import { InvalidArgumentError } from 'commander';

/**
 * A parser of commander's for a whole number in decimal digits. `Number` would also take `1e3`, `0x10` and a text of
 * blanks, none of which somebody means who counts hits.
 */
export function numberArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}, in decimal digits.`);
  };
}
