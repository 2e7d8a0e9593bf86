import { describe, expect, it } from 'vitest';
import {
  choice,
  duration,
  headerName,
  integer,
  lines,
  list,
  longestDurationMs,
  map,
  mediaType,
  port,
  ratio32,
  text,
  type ValueType,
} from './value-type.ts';

const level = choice<'warn' | 'fatal'>({ warn: 'warn', warning: 'warn', fatal: 'fatal' }, { panic: 'fatal' });

describe('value types', () => {
  it.each<[string, ValueType<unknown>, string, unknown]>([
    ['text', text, 'redis:6379', 'redis:6379'],
    ['text with an accent', text, 'clé', 'clé'],
    ['lines', lines, 'a\nb', 'a\nb'],
    ['a port', port, '0', 0],
    ['a port', port, '65535', 65_535],
    ['an integer', integer(), '300', 300],
    ['a duration', duration(), '0', 0],
    ['a duration too long for a timer', duration(), '8760h', longestDurationMs],
    ['a ratio', ratio32, '0.8', 0.800000011920929],
    ['a ratio above 1', ratio32, '1.5', 1.5],
    ['a choice', level, 'warn', 'warn'],
    ['a choice in another case', level, 'WARNING', 'warn'],
    ['a choice that is not offered', level, 'Panic', 'fatal'],
    ['a header name', headerName, 'X-Calls_Left.1', 'X-Calls_Left.1'],
    [
      'a media type',
      mediaType,
      'application/problem+json; charset=utf-8',
      'application/problem+json; charset=utf-8',
    ],
  ])('%s: %s %j', (_, type, input, value) => {
    expect(type.parse(input)).toEqual({ ok: true, value });
  });

  it.each<[string, ValueType<unknown>, string, string]>([
    ['text with a line break', text, 'secret\n', 'one line'],
    ['text with a NUL', text, 'a\0b', 'one line'],
    ['a port', port, '65536', 'from 0 to 65535'],
    ["Kubernetes' own variable", port, 'tcp://10.0.0.7:8081', 'enableServiceLinks: false'],
    ['an integer', integer(), '-1', 'at least 0'],
    ['a duration', duration(), '-1s', '0 or more'],
    ['a duration that must not be 0', duration({ positive: true }), '0', 'above 0'],
    ['a duration without a unit', duration(), '10', '1h30m'],
    ['a ratio', ratio32, '-0.1', '0 or more'],
    ['a ratio', ratio32, 'most', '0 or more'],
    ['a choice', level, 'loud', 'one of warn, warning, fatal'],
    ['a choice by a word of every object', level, 'constructor', 'one of'],
    ['a choice of one', choice({ FILE: 'file' }), 'x', 'FILE'],
    ['a header name with a space', headerName, 'X Limit', 'header name'],
    ['a header name with a colon', headerName, 'X-Limit:', 'header name'],
    ['a header name with a line break', headerName, 'X-Limit\r\nSet-Cookie', 'header name'],
    ['a media type', mediaType, 'json', 'media type'],
    ['a media type with a line break', mediaType, 'text/plain\r\nx: y', 'media type'],
  ])('%s: not %s %j', (_, type, input, expected) => {
    const result = type.parse(input);
    expect(result).toMatchObject({ ok: false, expected: expect.stringContaining(expected) });
  });

  it.each<[ValueType<unknown>, unknown, string]>([
    [ratio32, Math.fround(0.8), '0.8'],
    [ratio32, Math.fround(1 / 3), '0.3333333'],
    [level, 'warn', 'warn'],
    [list, ['a', 'b'], 'a,b'],
    [map, new Map([['k', 'v']]), 'k:v'],
    [lines, 'a\nb', '"a\\nb"'],
    [lines, '', ''],
    [duration(), 90_000, '1m30s'],
  ])('%o formats %j as %s', (type, value, shown) => {
    expect(type.format(value)).toBe(shown);
  });
});
