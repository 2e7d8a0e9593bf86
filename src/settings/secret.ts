import { inspect } from 'node:util';

/**
 * A text that must not be seen. Whatever prints or serialises it gets `shown`; only {@link Secret.reveal} gives the text,
 * so that a search for it finds every place that can leak it.
 */
export interface Secret {
  /** What may be printed: where it is known which part is secret, the rest is readable. */
  readonly shown: string;
  reveal(): string;
}

/** A secret of a variable, or of the file that another one names. */
export type SecretSource =
  | { readonly kind: 'given'; readonly text: Secret }
  | { readonly kind: 'file'; readonly file: string };

const marker = Symbol('secret');

export const hidden = '***';

/** A secret of which nothing may be seen but that it is there. */
export function showHidden(value: string): string {
  return value === '' ? '' : hidden;
}

export function createSecret(text: string, shown: string = hidden): Secret {
  const show = () => shown;
  return Object.freeze({
    [marker]: true,
    shown,
    reveal: () => text,
    toString: show,
    toJSON: show,
    [inspect.custom]: show,
  });
}

export function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && marker in value;
}
