import { InvalidArgumentError } from 'commander';

/** A parser of commander's for a part of a whole: 0 to 1, such as `0.8`. */
export function ratioArgument(text: string): number {
  const value = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a number from 0 to 1, such as 0.8.');
}
