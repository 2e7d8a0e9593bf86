import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWeir } from '../integration/cli/run-weir.ts';

/**
 * Reports on the logs of `examples/simulate`. After a change that is meant, `UPDATE_GOLDEN=1 npx vitest run test/golden` writes
 * them anew; read the difference before you commit it.
 */
const folder = join(import.meta.dirname, 'simulate');
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

const mapped = (mapping: string, log: string) => [
  ...['--format', 'envoy', '--mapping', `examples/simulate/${mapping}`],
  ...['--log', `examples/simulate/${log}`],
];
const compared = ['--compare', 'examples/simulate/stricter', '--log', 'examples/simulate/requests.jsonl'];

/** JSON as people compare it: a field a line, and lists of numbers on one. */
function spread(json: string): string {
  const text = JSON.stringify(JSON.parse(json), undefined, 2);
  return text.replace(
    /\[\s+(\d[\d.,\s]*)\]/g,
    (_, numbers: string) => `[${numbers.trim().split(/,\s+/).join(', ')}]`,
  );
}

describe('reports of weir simulate', () => {
  it.each([
    ['compared.txt', compared],
    ['compared.json.txt', [...compared, '--output', 'json']],
    ['access-log.txt', mapped('mapping.yaml', 'access-log.jsonl')],
    ['access-log-text.txt', mapped('mapping-text.yaml', 'access-log.txt')],
  ])('%s', async (name, args) => {
    const { status, out, err } = await runWeir(['simulate', '--config', 'examples/config', ...args]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const text = `${args.includes('json') ? spread(out) : out}\n`;
    const golden = join(folder, name);
    if (isUpdate) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, 'utf8'));
  });
});
