import { expect, it } from 'vitest';
import { parseFiles } from '../../../src/config/parse-files.ts';
import type { FileContent } from '../../../src/config/read-file.ts';
import { parseRules } from '../../../src/rules/parse/parse.ts';
import { rulesText } from './start-loading.ts';

function fileOf(file: string, text: string): FileContent {
  return { kind: 'content', file, bytes: Uint8Array.from(Buffer.from(text)), digest: '' };
}

/** Rules in groups of a hundred, each with a value, a nested rule and metadata. */
function manyRules(count: number): string {
  const lines = ['domain: many', 'descriptors:'];
  for (let i = 0; i < count; i += 2) {
    lines.push(
      `  - key: account`,
      `    value: customer-${i}`,
      `    rate_limit: {unit: hour, requests_per_unit: ${i}, name: limit-${i}}`,
      `    metadata: {tier: gold, list: [1, two]}`,
      `    descriptors:`,
      `      - key: path`,
      `        rate_limit: {unit: minute, requests_per_unit: ${i + 1}}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

it('a file comes out of the thread as the parser gave it, in the order of files', async () => {
  const texts = {
    'many.yaml': manyRules(10_000),
    'bad.yaml': 'domain: 1:\n  - [',
    'shop.yaml': rulesText('shop', 1),
  };
  const files = Object.entries(texts).map(([file, text]) => fileOf(file, text));
  const { documents, issues } = await parseFiles(files);
  const direct = Object.entries(texts).map(([file, text]) => parseRules(file, Buffer.from(text)));
  expect(documents).toEqual(direct.flatMap(({ document }) => document ?? []));
  expect(issues).toEqual(direct.flatMap((result) => result.issues));
  expect(issues.length).toBeGreaterThan(0);
});

it('no files need no thread', async () => {
  expect(await parseFiles([])).toEqual({ documents: [], issues: [] });
});

it('a file that needs too much memory is refused, and the next one is parsed', async () => {
  const files = [fileOf('huge.yaml', manyRules(30_000)), fileOf('shop.yaml', rulesText('shop', 1))];
  const { documents, issues } = await parseFiles(files, undefined, {
    heapMebibytes: 32,
    milliseconds: 60_000,
  });
  expect(documents.map(({ file }) => file)).toEqual(['shop.yaml']);
  expect(issues).toEqual([
    {
      severity: 'error',
      code: 'file-too-large',
      file: 'huge.yaml',
      line: 0,
      column: 0,
      message: 'parsing it takes more than 32 MiB of memory',
    },
  ]);
});

it('a file that needs too much time is refused', async () => {
  const files = [fileOf('huge.yaml', manyRules(30_000))];
  const { documents, issues } = await parseFiles(files, undefined, { heapMebibytes: 512, milliseconds: 1 });
  expect(documents).toEqual([]);
  expect(issues).toMatchObject([{ severity: 'error', code: 'parse-timeout', file: 'huge.yaml' }]);
});

it('a signal ends it', async () => {
  const stop = new AbortController();
  const parsing = parseFiles([fileOf('huge.yaml', manyRules(30_000))], stop.signal);
  stop.abort();
  expect((await parsing).documents).toEqual([]);
});
