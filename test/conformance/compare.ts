import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../src/domain/decision.ts';

/**
 * The first place where an answer is not what was expected, as one line; undefined when there is none. The rules are those
 * of `data/README.md`: nothing may be added, the order of lists counts, `<=` is a bound, `*` matches anything, and a
 * message at the top is for readers.
 */
export function firstDifference(
  expected: Json | undefined,
  got: Json | undefined,
  path = '',
): string | undefined {
  if (expected === '*') return undefined;
  if (typeof expected === 'string' && expected.startsWith('<='))
    return outsideBound(expected.slice(2), got, path);
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    return firstOf(expected.keys(), (index) =>
      firstDifference(expected[index], got[index], `${path}/${index}`),
    );
  }
  if (isObject(expected) && isObject(got)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(got)]);
    if (path === '') names.delete('message');
    return firstOf(names, (name) => firstDifference(expected[name], got[name], `${path}/${name}`));
  }
  if (isDeepStrictEqual(expected, got)) return undefined;
  return `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}

/** More than 0 and at most the bound: a number, or whole seconds as text, with `s` exactly where the bound has it. */
function outsideBound(bound: string, got: Json | undefined, path: string): string | undefined {
  const most = Number(bound.replace(/s$/, ''));
  const shape = bound.endsWith('s') ? /^\d+s$/ : /^\d+$/;
  const value = typeof got === 'string' && shape.test(got) ? Number.parseInt(got, 10) : got;
  if (typeof value === 'number' && value > 0 && value <= most) return undefined;
  return `${path}: expected more than 0 and at most ${bound}, got ${JSON.stringify(got)}`;
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
