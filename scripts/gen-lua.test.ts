import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateScripts } from './gen-lua.ts';

it('src/store/redis/scripts.gen.ts is what lua/ says; `npm run gen` writes it', () => {
  const generated = readFileSync(new URL('../src/store/redis/scripts.gen.ts', import.meta.url), 'utf8');
  expect(generated).toBe(generateScripts());
});
