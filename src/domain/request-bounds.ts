import { type Failure, invalidArgument } from './decision.ts';

/** What a caller controls and could make too large; what an end user controls is never refused. */
export interface RequestBounds {
  /** MAX_DESCRIPTORS. */
  readonly maxDescriptors: number;
  /** MAX_ENTRIES: entries of one descriptor. */
  readonly maxEntries: number;
}

/**
 * The number that came is not said: the edges stop at the first that is too many, as a message of 4 MiB has room for two
 * million of them.
 */
export function tooManyDescriptors({ maxDescriptors }: RequestBounds): Failure {
  return invalidArgument(`the request has more descriptors than the ${maxDescriptors} allowed`);
}

/** @param index of the descriptor, from 0 */
export function tooManyEntries(index: number, { maxEntries }: RequestBounds): Failure {
  return invalidArgument(`descriptor ${index} has more entries than the ${maxEntries} allowed`);
}
