import { type Parsed, parsed, unreadable } from './parsed.ts';

/** A list as envconfig reads it: parted by commas, nothing trimmed; only white space is an empty list. */
export function parseGoList(text: string): Parsed<readonly string[]> {
  return parsed(text.trim() === '' ? [] : text.split(','));
}

/** A map as envconfig reads it: `key:value` pairs parted by commas, so that neither part can hold a comma or a colon. */
export function parseGoMap(text: string): Parsed<ReadonlyMap<string, string>> {
  const map = new Map<string, string>();
  if (text.trim() === '') return parsed(map);
  for (const pair of text.split(',')) {
    const [key, value, ...rest] = pair.split(':');
    if (key === undefined || value === undefined || rest.length > 0)
      return unreadable('pairs such as key1:value1,key2:value2');
    map.set(key, value);
  }
  return parsed(map);
}

/** Metadata of an xDS node as the reference reads it: `name=value` pairs parted by commas. */
export function parseAssignments(text: string): Parsed<ReadonlyMap<string, string>> {
  const map = new Map<string, string>();
  if (text.trim() === '') return parsed(map);
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=');
    if (at <= 0) return unreadable('pairs such as name1=value1,name2=value2');
    map.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return parsed(map);
}
