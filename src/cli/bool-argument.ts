import { InvalidArgumentError } from 'commander';

/** A parser of commander's for `true` or `false`. */
export function boolArgument(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It must be true or false.');
}
