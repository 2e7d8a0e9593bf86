import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintRules } from '../../src/rules/lint/lint.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';

/**
 * Faulty configurations and exactly what is said about them: `x.yaml.txt` and `x.issues.txt`
 * (formatters and editors leave texts alone). After a change that is meant,
 * `UPDATE_GOLDEN=1 npx vitest run test/golden` writes the texts anew; read the difference before you commit it.
 */
const folder = join(import.meta.dirname, 'config');
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

function issueLines(name: string): string {
  const { document, issues } = parseRules(`${name}.yaml`, readFileSync(join(folder, `${name}.yaml.txt`)));
  const lints = document === undefined ? [] : lintRules([document]);
  return [...issues, ...lints]
    .map(
      ({ file, line, column, severity, code, message }) =>
        `${file}:${line}:${column} ${severity} ${code} ${message}\n`,
    )
    .join('');
}

describe('what is said about a faulty configuration', () => {
  const inputs = readdirSync(folder).filter((file) => file.endsWith('.yaml.txt'));
  it.each(inputs.map((file) => basename(file, '.yaml.txt')))('%s', (name) => {
    const golden = join(folder, `${name}.issues.txt`);
    const lines = issueLines(name);
    if (isUpdate) writeFileSync(golden, lines);
    expect(lines).toBe(readFileSync(golden, 'utf8'));
  });
});
