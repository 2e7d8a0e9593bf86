import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPackageJson, readText, root } from './repository.ts';

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of the Dockerfile, a continued line as one, without comments. */
const instructions: readonly Instruction[] = readText('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [name = '', ...rest] = line.split(' ');
    return { name, rest: rest.join(' ') };
  });
const named = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
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

  it('has the Node of package.json in every stage', () => {
    const versions = new Set(Object.values(readPackageJson().optionalDependencies));
    expect(named('ARG')).toEqual([...versions].map((version) => `NODE_VERSION=${version}`));
    for (const from of named('FROM')) expect(from).toMatch(/^node:\$\{NODE_VERSION\}-slim( AS [a-z]+)?$/);
  });

  it('copies only from stages that it has', () => {
    const stages = named('FROM').map((from) => from.split(' AS ')[1]);
    const sources = named('COPY').flatMap((rest) => rest.match(/--from=(\S+)/)?.slice(1) ?? []);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(stages).toContain(source);
  });

  it('needs no shell in the image: nothing is run there, and commands are lists', () => {
    expect(lastStage.filter(({ name }) => name === 'RUN')).toEqual([]);
    const entry = lastStage.find(({ name }) => name === 'ENTRYPOINT')?.rest ?? '';
    expect(JSON.parse(entry)).toEqual(['/bin/ratelimit']);
    const check = lastStage.find(({ name }) => name === 'HEALTHCHECK')?.rest ?? '';
    expect(JSON.parse(check.slice(check.indexOf('CMD ') + 4))).toEqual(['/bin/weir', 'health']);
  });

  it('runs as nobody', () => {
    expect(lastStage.find(({ name }) => name === 'USER')?.rest).toBe('65534:65534');
  });

  it('runs npm scripts that there are', () => {
    const scripts = named('RUN').flatMap((rest) => rest.match(/npm run (\S+)/)?.slice(1) ?? []);
    expect(scripts).toEqual(['build']);
    expect(readPackageJson().scripts).toHaveProperty('build');
  });
});
