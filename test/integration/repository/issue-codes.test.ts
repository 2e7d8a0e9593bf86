import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { IssueSeverity } from '../../../src/rules/issue.ts';
import { parseRules } from '../../../src/rules/parse/parse.ts';
import { codeIn, readText, root, sectionOf, tableRows } from './repository.ts';

/** Where the sources name a code: as an argument of what reports issues, or as the field of an issue. */
const reported =
  /(?:\breport\(\s*(?:'(?:error|ignored|lint)',\s*)?|\b(?:lintIssue|issueAt|add|refused)\(\s*|\bfileIssue\(\s*'(?:error|ignored|lint)',\s*|\bfailed\(\w+,\s*|\bcode:\s*|\bcode = [^;]*?[?:] )'([a-z][a-z0-9-]*)'/g;
const severities: readonly string[] = ['error', 'ignored', 'lint'] satisfies IssueSeverity[];

function codesInSource(): string[] {
  const files = globSync('src/{rules,config}/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const codes = files.flatMap((file) => [...readText(file).matchAll(reported)].map(([, code = '']) => code));
  return [...new Set(codes)].filter((code) => !severities.includes(code)).sort();
}

const rows = tableRows(sectionOf(readText('docs/configuration.md'), '## Issues'));
const severityOf = new Map(rows.map(([code = '', severity = '']) => [codeIn(code)[0] ?? '', severity]));

describe('docs/configuration.md, issues', () => {
  it('has every code of the sources and no other, in the order of the alphabet', () => {
    expect(rows.map(([code = '']) => codeIn(code)[0])).toEqual(codesInSource());
  });

  it('has every code, with its severity, that the recorded configurations give', () => {
    const folder = join(root, 'test/conformance/data/config-load/files');
    const files = globSync('**/*.yaml', { cwd: folder });
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      for (const { code, severity } of parseRules(file, readFileSync(join(folder, file))).issues) {
        expect(severityOf.get(code), `${code} of ${file}`).toContain(severity);
      }
    }
  });
});
