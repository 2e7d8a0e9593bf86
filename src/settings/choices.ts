import { type Parsed, parsed, unreadable } from './parsed.ts';
import type { ValueType } from './value-type.ts';

/** Some of some words, parted by commas, in any case, each once. The order counts. */
export function choices<T extends string>(words: Readonly<Record<string, T>>): ValueType<readonly T[]> {
  const byWord = new Map(Object.entries(words).map(([word, value]) => [word.toLowerCase(), value]));
  const wordOf = new Map(Object.entries(words).map(([word, value]) => [value, word]));
  const offered = Object.keys(words).join(', ');
  return {
    name: `list of ${Object.keys(words).join(' / ')}`,
    parse(text): Parsed<readonly T[]> {
      const found = text.split(',').map((word) => byWord.get(word.trim().toLowerCase()));
      const values = found.filter((value) => value !== undefined);
      if (values.length < found.length) return unreadable(`one or more of ${offered}, parted by commas`);
      if (new Set(values).size < values.length) return unreadable('a list in which no word is there twice');
      return parsed(values);
    },
    format: (values) => values.map((value) => wordOf.get(value) ?? value).join(','),
  };
}
