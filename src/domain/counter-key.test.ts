import { describe, expect, it } from 'vitest';
import {
  counterKey,
  counterKeys,
  identityOf,
  identityOfPattern,
  identityOfText,
  identityWithHashes,
} from './counter-key.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { type Octets, octetsOf } from './octets.ts';

const keys = counterKeys(octetsOf(''));

type Texts = [key: string, value: string];

function entriesOf(texts: Texts[]) {
  return texts.map(([key, value]) => ({ key: octetsOf(key), value: octetsOf(value) }));
}

function identity(domain: string, ...entries: Texts[]): string {
  return identityOf(octetsOf(domain), entriesOf(entries));
}

const keyedHash = createKeyedHash(Buffer.from('0123456789abcdef'));

/** Values of all keys but `plan` are sensitive. */
function sensitive(domain: string, ...entries: Texts[]): string {
  const hashOf = (key: Octets) => (key === 'plan' ? undefined : keyedHash);
  return identityWithHashes(octetsOf(domain), entriesOf(entries), hashOf);
}

describe('the format, which is frozen', () => {
  it.each([
    ['one entry', identity('shop', ['ip', '192.0.2.9']), 'v1{shop|ip=192.0.2.9}60'],
    ['several entries', identity('shop', ['plan', 'free'], ['user', 'u-1']), 'v1{shop|plan=free|user=u-1}60'],
    ['an empty value', identity('shop', ['ip', '']), 'v1{shop|ip=}60'],
    ['no entries', identity('shop'), 'v1{shop}60'],
    ['octets with a meaning', identity('a|b', ['k=', '%{x}#*']), 'v1{a%7Cb|k%3D=%25%7Bx%7D%23%2A}60'],
    ['controls and blanks', identity('a', ['k', 'x y\r\n\0']), 'v1{a|k=x%20y%0D%0A%00}60'],
    ['text beyond ASCII', identity('a', ['k', 'é']), 'v1{a|k=%C3%A9}60'],
    ['octets that are no text', `a|k=${identityOfText('\xe9\xff' as Octets)}`, 'v1{a|k=%E9%FF}60'],
    ['a shared pattern', `a|k=${identityOfPattern(octetsOf('docs/*|*'))}`, 'v1{a|k=docs/*%7C*}60'],
    ['a value of 128 octets', identity('a', ['k', 'x'.repeat(128)]), `v1{a|k=${'x'.repeat(128)}}60`],
    [
      'a longer value',
      identity('a', ['k', 'x'.repeat(129)]),
      'v1{a|k=#DsnrM-dFELzdHy6lUgboLyFknFwr7L8rQz60dbNMAb0}60',
    ],
    [
      'a long key',
      identity('a', ['x'.repeat(129), 'v']),
      'v1{a|#DsnrM-dFELzdHy6lUgboLyFknFwr7L8rQz60dbNMAb0=v}60',
    ],
    [
      'many entries',
      identity('a', ...Array.from({ length: 70 }, (): [string, string] => ['key', 'val'])),
      'v1{##-3CIM3MVswZmUz16nGkJPIPdIRZSL97fL4BZoWd0wP0}60',
    ],
    [
      'a sensitive value',
      sensitive('shop', ['plan', 'free'], ['user', 'u-1']),
      'v1{shop|plan=free|user=#~n6obBJwPunMtkumETUljXgsElWYKeFZrLtS1Cn9OLQ0}60',
    ],
    [
      'an empty sensitive value',
      sensitive('shop', ['user', '']),
      'v1{shop|user=#~SW3JP6LSbq5QDsC8N6EicGuI-JY86_CJnQJF-uMT4kE}60',
    ],
    [
      'a long sensitive value, hashed as a whole',
      sensitive('shop', ['user', 'x'.repeat(129)]),
      'v1{shop|user=#~z2dSTQFfuEo7P9NlQJitos60Av6YMtB4rJZy6xYJbko}60',
    ],
  ])('%s', (_, text, key) => {
    expect(counterKey(keys, text, 60)).toBe(key);
  });

  it('puts the prefix first, and escapes braces so that they are no hash tag', () => {
    expect(counterKey(counterKeys(octetsOf('edge:{1}:')), 'a|k=v', 3600)).toBe('edge:%7B1%7D:v1{a|k=v}3600');
  });
});
