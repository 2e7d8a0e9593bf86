import { text, type ValueType } from './value-type.ts';

/**
 * What Weir does about a variable:
 * - `honoured`: it has its meaning.
 * - `without effect`: accepted, so that an existing deployment starts, and warned about when it is set.
 * - `refused`: what it asks for is not here, and starting without it would surprise; it ends the start.
 */
export type VariableClass = 'honoured' | 'without effect' | 'refused';

/** One environment variable. The table of these is the source of parsing, of docs/settings.md and of the start-up print. */
export interface Variable<T> {
  readonly class: VariableClass;
  readonly type: ValueType<T>;
  readonly default: T;
  /** For the documentation: what it sets. */
  readonly meaning: string;
  /** Why it is in its class, or how and why it differs from the reference. A sentence; empty when nothing is to be said. */
  readonly reason: string;
  /** The sentence that ends the start when it has this value; undefined for a value that is fine. */
  refuses(value: T): string | undefined;
  /** What may be printed of the value; the whole by default. */
  show(value: T): string;
  /** It is never quoted. */
  readonly secret: boolean;
}

interface Details<T> {
  readonly reason?: string;
  readonly refuses?: (value: T) => string | undefined;
}

export function honoured<T>(
  type: ValueType<T>,
  initial: T,
  meaning: string,
  details: Details<T> = {},
): Variable<T> {
  const { reason = '', refuses = () => undefined } = details;
  const show = (value: T) => type.format(value);
  return { class: 'honoured', type, default: initial, meaning, reason, refuses, show, secret: false };
}

/** An honoured text of which only `show` of it may be seen. */
export function honouredSecret(
  initial: string,
  meaning: string,
  show: (value: string) => string,
  details: Details<string> = {},
): Variable<string> {
  return { ...honoured(text, initial, meaning, details), show, secret: true };
}

/** @param reason completes "NAME has no effect: ..." and says what to do instead where there is something. */
export function withoutEffect<T>(
  type: ValueType<T>,
  initial: T,
  meaning: string,
  reason: string,
): Variable<T> {
  return { ...honoured(type, initial, meaning, { reason }), class: 'without effect' };
}

/** @param refuses gives the sentence, which says what to do. */
export function refused<T>(
  type: ValueType<T>,
  initial: T,
  meaning: string,
  details: { readonly reason: string; readonly refuses: (value: T) => string | undefined },
): Variable<T> {
  return { ...honoured(type, initial, meaning, details), class: 'refused' };
}
