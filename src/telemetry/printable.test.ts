import { describe, expect, it } from 'vitest';
import { printable } from './printable.ts';

describe('printable()', () => {
  it.each([
    ['plain text', 'user=a b', 'user=a b'],
    ['letters of any language', 'caf\u00e9 \u4f60', 'caf\u00e9 \u4f60'],
    ['line ends', 'a\r\nb', 'a\\x0d\\x0ab'],
    ['terminal sequences', '\x1b[31mred', '\\x1b[31mred'],
    ['controls of the upper half', 'a\x85b', 'a\\x85b'],
    ['marks that turn the direction of writing', 'a\u202eb', 'a\\u{202e}b'],
    ['line separators', 'a\u2028b', 'a\\u{2028}b'],
    ['half a pair', 'a\ud800b', 'a\ufffdb'],
    ['nothing', '', ''],
  ])('keeps or escapes %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('cuts long text and marks the cut', () => {
    expect(printable('x'.repeat(60_000), 5)).toBe('xxxxx…');
    expect(printable('xxxxx', 5)).toBe('xxxxx');
  });
});
