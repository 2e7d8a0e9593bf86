import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInstructions, readStages } from './dockerfile.ts';
import { readPackageJson, readText, root } from './repository.ts';

const instructions = readInstructions();
const stages = readStages();
const image = stages.at(-1)?.instructions ?? [];
const named = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
const inImage = (name: string) => image.filter((one) => one.name === name).map(({ rest }) => rest);
const ignored = readText('.dockerignore');

/** Sources of COPY that come from the repository. */
const copied = named('COPY')
  .filter((rest) => !rest.startsWith('--from='))
  .flatMap((rest) => rest.split(' ').slice(0, -1));

describe('Dockerfile', () => {
  it.each(copied)('COPY %s: it exists, and .dockerignore lets it through', (path) => {
    expect(existsSync(join(root, path))).toBe(true);
    expect(ignored.split('\n')).toContain(`!${path}`);
  });

  it('has the Node of package.json in every stage but the last', () => {
    const versions = new Set(Object.values(readPackageJson().optionalDependencies));
    expect(named('ARG')).toEqual([...versions].map((version) => `NODE_VERSION=${version}`));
    const others = stages.slice(0, -1);
    expect(new Set(others.map(({ from }) => from))).toEqual(new Set(['node:$' + '{NODE_VERSION}-slim']));
    for (const { name } of others) expect(name).toMatch(/^[a-z]+$/);
  });

  it('copies only from stages that it has', () => {
    const names = stages.map(({ name }) => name);
    const sources = named('COPY').flatMap((rest) => rest.match(/--from=(\S+)/)?.slice(1) ?? []);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(names).toContain(source);
  });

  it('makes the image of nothing but the tree, so that there is no shell in it', () => {
    expect(stages.at(-1)).toMatchObject({ from: 'scratch', name: undefined });
    expect(inImage('COPY')).toEqual(['--from=tree /tree/ /']);
    for (const name of ['RUN', 'ADD', 'SHELL']) expect(inImage(name)).toEqual([]);
  });

  it('starts its programs without a shell: commands are lists', () => {
    expect(inImage('ENTRYPOINT').map((list) => JSON.parse(list))).toEqual([['/bin/ratelimit']]);
    const [check = ''] = inImage('HEALTHCHECK');
    expect(JSON.parse(check.slice(check.indexOf('CMD ') + 4))).toEqual(['/bin/weir', 'health']);
  });

  it('runs as nobody', () => {
    expect(inImage('USER')).toEqual(['65534:65534']);
  });

  it('runs npm scripts that there are', () => {
    const scripts = named('RUN').flatMap((rest) => rest.match(/npm run (\S+)/)?.slice(1) ?? []);
    expect(scripts).toEqual(['build']);
    expect(readPackageJson().scripts).toHaveProperty('build');
  });
});
