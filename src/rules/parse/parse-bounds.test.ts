import { describe, expect, it } from 'vitest';
import { maxNesting } from '../yaml/yaml-reader.ts';
import { maxFileBytes } from '../yaml/yaml-text.ts';
import { maxIssues } from './issue-list.ts';
import { parseRules } from './parse.ts';

const parse = (text: string) => parseRules('x.yaml', Buffer.from(text));
const codes = (text: string) => parse(text).issues.map((issue) => issue.code);

describe('bytes', () => {
  const text = 'domain: dé\ndescriptors: [{key: k🎉}]\n';
  const utf16le = Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, little end first', utf16le],
    ['UTF-16, big end first', Buffer.from(utf16le).swap16()],
  ])('%s', (_name, content) => {
    expect(parseRules('x', content).document).toMatchObject({ domain: 'dé', descriptors: [{ key: 'k🎉' }] });
  });

  it.each([
    ['UTF-8', Buffer.from([0x61, 0x3a, 0x0a, 0x62, 0xff]), 'encoding', 2, 2],
    ['UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'encoding', 0, 0],
    ['control characters', Buffer.from('a: b\nc: \x00'), 'control-character', 2, 4],
    ['too much', Buffer.alloc(maxFileBytes + 1, 0x20), 'file-too-large', 0, 0],
  ])('%s that cannot be read', (_name, content, code, line, column) => {
    expect(parseRules('x', content)).toMatchObject({
      document: undefined,
      issues: [{ severity: 'error', code, line, column }],
    });
  });

  it('may end lines as they did on old machines', () => {
    expect(parse('domain: d\rdescriptors:\r- key: k\r').document?.descriptors).toHaveLength(1);
  });

  it('halves of a character in an escape are refused', () => {
    expect(codes('domain: "\\ud800"')).toEqual(['yaml-syntax']);
    expect(parse('domain: "\\ud83d\\ude00"').document?.domain).toBe('😀');
  });
});

describe('bounds', () => {
  const nested = (levels: number) => `domain: d\nmetadata: ${'['.repeat(levels)}${']'.repeat(levels)}\n`;
  const inMetadata = (levels: number) =>
    `domain: d\ndescriptors: [{key: k, metadata: {m: ${'['.repeat(levels)}${']'.repeat(levels)}}}]\n`;

  it(`${maxNesting} levels are read, in blocks, in brackets and as JSON`, () => {
    expect(codes(nested(maxNesting - 1))).toEqual(['misplaced-key']);
    expect(codes(inMetadata(maxNesting - 4))).toEqual([]);
    const levels = Array.from(
      { length: 490 },
      (_, i) => `${'  '.repeat(i)}descriptors:\n${'  '.repeat(i)}- key: k\n`,
    );
    expect(codes(`domain: d\n${levels.join('')}`)).toEqual([]);
  });

  it('more are refused, at once', () => {
    for (const text of [
      nested(maxNesting + 10),
      nested(200_000),
      '- '.repeat(200_000),
      '? '.repeat(200_000),
      '{a: '.repeat(200_000),
    ]) {
      expect(parse(text).issues).toMatchObject([{ severity: 'error', code: 'nesting' }]);
    }
  });

  it('aliases cannot nest deeper than text', () => {
    const anchors = Array.from({ length: 300 }, (_, i) => `k${i + 1}: &a${i + 1} [[[[*a${i}]]]]`);
    const text = `domain: d\ndescriptors: [{key: k, metadata: {k0: &a0 [x], ${anchors.join(', ')}}}]`;
    expect(codes(text)).toEqual(['nesting']);
  });

  it('a fault behind an alias is told once', () => {
    const aliases = Array.from({ length: 1_000 }, () => '- *a\n').join('');
    expect(codes(`domain: d\ndescriptors:\n- &a {key: k, rate_limit: {unit: x}}\n${aliases}`)).toEqual([
      'unknown-unit',
    ]);
  });

  it('many faults are not all told', () => {
    const rules = Array.from({ length: maxIssues + 50 }, () => '- {}\n').join('');
    const found = codes(`domain: d\ndescriptors:\n${rules}`);
    expect(found).toHaveLength(maxIssues + 1);
    expect(found.at(-1)).toBe('too-many-issues');
  });

  it('a file of nothing but YAML faults is given up early', () => {
    for (const fault of [']', '"a" b\n', '&a ', '! ', "a: '\n", '%x\n', '- "\\q"\n']) {
      const { issues } = parse(fault.repeat(100_000));
      expect(issues.length).toBeGreaterThan(0);
      expect(issues.length).toBeLessThanOrEqual(10);
    }
  });
});
