import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allAttacks } from './all-attacks.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/security-grpc.md');

describe('docs/security-grpc.md', () => {
  it('has a row for each attack', () => {
    const names = allAttacks.map(({ name }) => name);
    expect(names.filter((name) => !page.includes(`\n| ${name} |`))).toEqual([]);
  });

  it('names each fault among the limits', () => {
    const [, limits = ''] = /^## Limits$(.*?)^## /ms.exec(page) ?? [];
    const faults = [...read('src/transport/transport-event.ts').matchAll(/^ {2}\| '([\w-]+)'/gm)];
    expect(faults.length).toBeGreaterThan(30);
    expect(faults.map(([, fault]) => fault).filter((fault) => !limits.includes(`\`${fault}\``))).toEqual([]);
  });

  it('names only tests that there are', () => {
    const named = [...page.matchAll(/`([\w-]+\.test\.ts)`/g)].map(([, name]) => name);
    const folders = [
      'src/transport',
      'src/transport/http2',
      'src/transport/hpack',
      'src/transport/grpc',
      'test/attacks',
    ];
    const exists = (name = '') => folders.some((folder) => isFile(`${folder}/${name}`));
    expect(named.filter((name) => !exists(name))).toEqual([]);
  });
});

function isFile(path: string): boolean {
  try {
    read(path);
    return true;
  } catch {
    return false;
  }
}
