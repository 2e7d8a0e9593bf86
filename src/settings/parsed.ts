/** What became of a text: its value, or a phrase that completes "must be ...". It never holds the text itself. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly expected: string };

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function unreadable(expected: string): Parsed<never> {
  return { ok: false, expected };
}
