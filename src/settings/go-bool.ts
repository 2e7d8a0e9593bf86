import { type Parsed, parsed, unreadable } from './parsed.ts';

const words: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

/** A boolean as Go's strconv.ParseBool reads it: twelve words and no others, so neither `yes` nor `tRUE`. */
export function parseGoBool(text: string): Parsed<boolean> {
  const value = words.get(text);
  return value === undefined
    ? unreadable('true or false (also 1, t, T, TRUE, True, 0, f, F, FALSE, False)')
    : parsed(value);
}
