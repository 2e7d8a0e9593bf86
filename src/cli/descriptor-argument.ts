import type { Descriptor } from '../domain/descriptor.ts';
import { octetsOf } from '../domain/octets.ts';

/** One descriptor as it is written on the command line: `key=value,key=value`, with `\,` for a comma in a value. */
export function parseDescriptor(text: string): Descriptor {
  const entries = text === '' ? [] : splitEntries(text).map(parseEntry);
  return { entries, limit: undefined, hitsAddend: undefined, isNegativeHits: false };
}

function splitEntries(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && (text[i + 1] === ',' || text[i + 1] === '\\')) {
      part += text[++i];
    } else if (text[i] === ',') {
      parts.push(part);
      part = '';
    } else {
      part += text[i];
    }
  }
  return [...parts, part];
}

/** A key alone has an empty value. */
function parseEntry(text: string) {
  const at = text.indexOf('=');
  const [key, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { key: octetsOf(key), value: octetsOf(value) };
}
