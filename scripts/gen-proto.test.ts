import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { generateProtoCode } from './gen-proto.ts';

/** Every file of a folder by its path in it. */
function filesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

it('src/gen/ is what proto/ gives; else run `npm run gen`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-gen-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  generateProtoCode(folder);
  const committed = filesOf(fileURLToPath(new URL('../src/gen', import.meta.url)));
  expect(Object.keys(committed).length).toBeGreaterThan(5);
  expect(filesOf(folder)).toEqual(committed);
});
