import { describe, expect, it } from 'vitest';
import { lineWidth, textTable, wrap } from './text-table.ts';

describe('textTable()', () => {
  it('aligns numbers to the right, with notes below', () => {
    expect(
      textTable(
        ['Rule', 'Allowed', 'Denied'],
        [
          { name: 'a.b', note: '5 per minute', cells: ['1', '1,000'] },
          { name: 'longer', cells: ['12,345,678', '0'] },
        ],
      ),
    ).toEqual([
      'Rule       Allowed  Denied',
      'a.b              1   1,000',
      '  5 per minute',
      'longer  12,345,678       0',
    ]);
  });

  it('gives a name that does not fit a line for itself, and cuts nothing', () => {
    const name = 'x'.repeat(90);
    const lines = textTable(
      ['Rule', 'Allowed'],
      [
        { name, cells: ['7'] },
        { name: 'short', cells: ['8'] },
      ],
    );
    expect(lines[1]).toBe(name);
    expect([lines[0], lines[2], lines[3]].map((line) => line?.length)).toEqual([
      lineWidth,
      lineWidth,
      lineWidth,
    ]);
  });
});

describe('wrap()', () => {
  it('breaks at blanks, and indents every line', () => {
    const words = 'word '.repeat(40).trim();
    const lines = wrap(words, '  ');
    expect(lines.every((line) => line.length <= lineWidth && line.startsWith('  w'))).toBe(true);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(words);
  });
});
