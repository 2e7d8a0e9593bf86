import { describe, expect, it } from 'vitest';
import { counterKey, counterKeys, escapeOctets, identityOfKey, identityOfPattern } from './counter-key.ts';
import { type Octets, octetsOf } from './octets.ts';

const keys = counterKeys(octetsOf(''));

function identity(domain: string, ...entries: [string, string][]): string {
  return (
    escapeOctets(octetsOf(domain)) +
    entries.map(([k, v]) => identityOfKey(octetsOf(k)) + escapeOctets(octetsOf(v))).join('')
  );
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
    ['octets that are no text', `a|k=${escapeOctets('\xe9\xff' as Octets)}`, 'v1{a|k=%E9%FF}60'],
    ['a shared pattern', `a|k=${identityOfPattern(octetsOf('docs/*|*'))}`, 'v1{a|k=docs/*%7C*}60'],
    ['a long identity', `a|k=${'x'.repeat(300)}`, 'v1{#ur-c_nnpi5N5sy5xZXFGwYtsAFUM7B_oLmtJdPq-ks8}60'],
  ])('%s', (_, text, key) => {
    expect(counterKey(keys, text, 60)).toBe(key);
  });

  it('puts the prefix first, and escapes braces so that they are no hash tag', () => {
    expect(counterKey(counterKeys(octetsOf('edge:{1}:')), 'a|k=v', 3600)).toBe('edge:%7B1%7D:v1{a|k=v}3600');
  });
});
