import { describe, expect, it } from 'vitest';
import { octetsOf } from '../../domain/octets.ts';
import { parsePattern } from './pattern.ts';
import { findPatternFault, patternBounds } from './pattern-bounds.ts';
import { createPatternIndex } from './pattern-index.ts';

function indexOf(...texts: string[]) {
  return createPatternIndex(texts.map((text, order) => parsePattern(octetsOf(text), order, text)));
}

function faultOf(texts: readonly string[]) {
  return findPatternFault(texts.map((text, order) => parsePattern(octetsOf(text), order, text)));
}

describe('one pattern', () => {
  it.each([
    // M06: each star matches zero or more characters
    ['/a/*/z', '/a//z', true],
    ['/a/*/z', '/a/b/c/z', true],
    ['/a/*/z', '/a/z', false],
    ['*mid*', 'mid', true],
    ['*mid*', 'amidst', true],
    ['*mid*', 'dim', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['x*x', 'xx', true],
    ['x*x', 'x', false],
    ['x*x', 'x-x', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['a*bb*b', 'abbb', true],
    ['a*bb*b', 'abb', false],
    ['p**q', 'pq', true],
    ['*a*', '', false],
    ['a*', 'A', false],
  ])('M06: %s on %s: %s', (pattern, value, matches) => {
    expect(indexOf(pattern).find(octetsOf(value))).toBe(matches ? pattern : undefined);
  });
});

describe('several patterns', () => {
  it.each([
    ['the longest literal prefix', ['/v1/*', '/v1/admin/*'], '/v1/admin/x', '/v1/admin/*'],
    ['whatever the order', ['/v1/admin/*', '/v1/*'], '/v1/admin/x', '/v1/admin/*'],
    ['then the most literal characters', ['*-x', '*-x-*-y', '*'], 'a-x-b-y', '*-x-*-y'],
    ['a longer prefix beats more characters', ['a*bcdefg', 'ab*'], 'abcdefg', 'ab*'],
    ['then the first declared', ['*ab', '*b*'], 'xab', '*ab'],
    ['of equal ones the first declared', ['a*b', 'a**b'], 'acb', 'a*b'],
    [
      'a shorter prefix when the longer does not end right',
      ['/v1/*', '/v1/admin/*.css'],
      '/v1/admin/x',
      '/v1/*',
    ],
    ['the longest ending', ['*.com', '*.example.com'], 'www.example.com', '*.example.com'],
    ['a shorter ending when the longer does not fit', ['*.com', '*.example.com'], 'www.other.com', '*.com'],
    ['none', ['a*', 'b*'], 'c', undefined],
  ])('M05: %s', (_, patterns, value, expected) => {
    expect(indexOf(...patterns).find(octetsOf(value))).toBe(expected);
  });

  it('lists the patterns in the order in which they win', () => {
    expect(indexOf('*', 'a*', 'a*c', 'ab*').patterns.map(({ target }) => target)).toEqual([
      'ab*',
      'a*c',
      'a*',
      '*',
    ]);
  });
});

describe('bounds', () => {
  it('searches a value of half a kilobyte in full, whatever the patterns', () => {
    const searched = Array.from({ length: patternBounds.searched }, (_, i) => `*ab${'c'.repeat(i)}d*`);
    const value = octetsOf('ab'.repeat(256));
    expect(faultOf(searched)).toBeUndefined();
    expect(indexOf(...searched).find(value)).toBeUndefined();
  });

  it.each([
    ['found behind much else', '*admin*', `${'x'.repeat(60_000)}admin${'x'.repeat(100)}`, true],
    ['not there', '*admin*', 'x'.repeat(60_000), false],
    ['there in part', '*admin*', 'admi.'.repeat(500).padEnd(60_000, 'x'), false],
    [
      'across the border of what is searched in full',
      '*admin*',
      `${'x'.repeat(patternBounds.octetsSearched - 2)}admin`,
      true,
    ],
    ['two parts, the second far away', '*ad*min*', `ad${'x'.repeat(60_000)}min`, true],
    ['two parts in the wrong order', '*ad*min*', `min${'x'.repeat(60_000)}ad`, false],
    ['cut by the ending', '*admin*n', `${'x'.repeat(60_000)}admin`, false],
  ])('searches long values in full: %s', (_, pattern, value, matches) => {
    expect(indexOf(pattern).find(octetsOf(value))).toBe(matches ? pattern : undefined);
  });

  it('takes a value that was made to be slow for matching, so that padding does not escape a limit', () => {
    const slow = octetsOf(`/${'a'.repeat(60_000)}/admin/`);
    expect(indexOf('/*ab*').find(slow)).toBe('/*ab*');
    expect(indexOf('/*ab*z').find(slow)).toBeUndefined();
  });

  it.each([
    ['many with their own beginnings', Array.from({ length: 5_000 }, (_, i) => `/svc-${i}/*/x/*`), true],
    [
      'many with their own endings of one length',
      Array.from({ length: 5_000 }, (_, i) => `*.${10_000 + i}.test`),
      true,
    ],
    ['nested ones that take all', Array.from({ length: 512 }, (_, i) => `${'a'.repeat(i)}*`), true],
    ['too many of them', Array.from({ length: 513 }, (_, i) => `${'a'.repeat(i)}*`), false],
    ['many that must be searched and begin alike', Array.from({ length: 17 }, (_, i) => `/a*${i}*`), false],
    ['the same, nested', Array.from({ length: 17 }, (_, i) => `${'a'.repeat(i)}*-*`), false],
    ['one of as many parts as are searched', [`a${'*b'.repeat(1_024)}*`], true],
    ['one of more parts', [`a${'*b'.repeat(1_025)}*`], false],
    ['endings of many lengths', Array.from({ length: 200 }, (_, i) => `a*${'b'.repeat(i + 1)}`), false],
    ['a very long pattern', [`${'a'.repeat(20_000)}*`], false],
  ])('admits %s: %#', (_, patterns, isAdmitted) => {
    expect(faultOf(patterns) === undefined).toBe(isAdmitted);
  });
});
