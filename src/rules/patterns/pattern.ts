import type { Octets } from '../../domain/octets.ts';

/** A value with at least one star, taken apart. */
export interface Pattern<T> {
  readonly text: Octets;
  readonly prefix: Octets;
  /** Literals between the first and the last star; empty ones are left out. */
  readonly middle: readonly Octets[];
  readonly suffix: Octets;
  /** Number of literal octets. */
  readonly literals: number;
  /** Order of declaration. */
  readonly order: number;
  readonly target: T;
}

export function isPattern(value: string): boolean {
  return value.includes('*');
}

export function parsePattern<T>(text: Octets, order: number, target: T): Pattern<T> {
  const parts = text.split('*') as Octets[];
  const prefix = parts[0] as Octets;
  const suffix = parts[parts.length - 1] as Octets;
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  const literals = text.length - (parts.length - 1);
  return Object.freeze({ text, prefix, middle, suffix, literals, order, target });
}

/** How specific patterns are among each other: negative when `a` wins. */
export function compareSpecificity(a: Pattern<unknown>, b: Pattern<unknown>): number {
  return b.prefix.length - a.prefix.length || b.literals - a.literals || a.order - b.order;
}
