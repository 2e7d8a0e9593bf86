import { describe, expect, it } from 'vitest';
import { resolveScalar } from './yaml-scalar.ts';

const plain = (text: string, tag?: string) =>
  resolveScalar({ kind: 'scalar', offset: 0, text, isPlain: true, tag });
const quoted = (text: string, tag?: string) =>
  resolveScalar({ kind: 'scalar', offset: 0, text, isPlain: false, tag });

describe('a plain scalar means what YAML 1.1 says', () => {
  it.each(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'])('%s is true', (text) => {
    expect(plain(text)).toEqual({ kind: 'boolean', value: true });
  });
  it.each(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'])(
    '%s is false',
    (text) => {
      expect(plain(text)).toEqual({ kind: 'boolean', value: false });
    },
  );
  it.each(['', '~', 'null', 'Null', 'NULL'])("'%s' is null", (text) => {
    expect(plain(text)).toEqual({ kind: 'null' });
  });
  it.each([
    ['0', 0],
    ['-0', 0],
    ['+7', 7],
    ['-7', -7],
    ['010', 8],
    ['-010', -8],
    ['0o10', 8],
    ['0x1F', 31],
    ['0X1f', 31],
    ['0b101', 5],
    ['-0b101', -5],
    ['1_000', 1_000],
    ['0x_1_F', 31],
    ['1__0_', 10],
  ])('%s is the whole number %d', (text, value) => {
    expect(plain(text)).toEqual({ kind: 'integer', value, isHuge: false });
  });
  it.each([
    ['1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1_000],
    ['-1.5E-3', -0.0015],
    ['09', 9],
    ['1_0.5', 10.5],
    ['.inf', Number.POSITIVE_INFINITY],
    ['-.INF', Number.NEGATIVE_INFINITY],
    ['.NaN', Number.NaN],
  ])('%s is the float %d', (text, value) => {
    expect(plain(text)).toEqual({ kind: 'float', value });
  });
  it.each([
    'yEs',
    'nULL',
    '1:30',
    '2026-01-31',
    '1.2.3',
    '0x',
    '0xg',
    '0b2',
    '0o8',
    '_1',
    '+',
    '-',
    '.',
    '1e',
    '._5',
    'infinity',
  ])('%s is text', (text) => {
    expect(plain(text)).toEqual({ kind: 'text', value: text });
  });
  it.each([
    ['9223372036854774784', false],
    ['9223372036854775808', true],
    ['-9223372036854775809', true],
    ['12345678901234567890', true],
  ])('%s: beyond 64 bits with a sign, %s', (text, isHuge) => {
    expect(plain(text)).toMatchObject({ kind: 'integer', isHuge });
  });
});

describe('quotes and tags', () => {
  it.each(['true', '5', '~', ''])("'%s' in quotes is text", (text) => {
    expect(quoted(text)).toEqual({ kind: 'text', value: text });
  });
  it.each([
    ['!!str', '1.5', { kind: 'text', value: '1.5' }],
    ['!', '5', { kind: 'text', value: '5' }],
    ['!<tag:yaml.org,2002:str>', '5', { kind: 'text', value: '5' }],
    ['!mine', '5', { kind: 'text', value: '5' }],
    ['!!int', '0x10', { kind: 'integer', value: 16, isHuge: false }],
    ['!!float', '5', { kind: 'float', value: 5 }],
    ['!!bool', 'on', { kind: 'boolean', value: true }],
    ['!!null', '', { kind: 'null' }],
    ['!!binary', 'aGk=', { kind: 'text', value: 'hi' }],
  ])('%s %s', (tag, text, value) => {
    expect(quoted(text, tag)).toEqual(value);
  });
  it.each([
    ['!!int', 'five'],
    ['!!int', '1.5'],
    ['!!bool', '1'],
    ['!!null', 'x'],
    ['!!binary', 'a'],
    ['!!binary', '/w=='],
  ])('%s %s does not fit', (tag, text) => {
    expect(plain(text, tag).kind).toBe('fault');
  });
});
