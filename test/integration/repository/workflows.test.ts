import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPackageJson, readText, root } from './repository.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly id?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly needs?: string;
  readonly container?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const names = readdirSync(join(root, '.github/workflows'));
const read = (name: string) => parse(readText(`.github/workflows/${name}`)) as Workflow;
const commandsOf = (job: Job | undefined) => (job?.steps ?? []).flatMap(({ run }) => run ?? []);

/** As a workflow writes it. */
const expression = (text: string) => `$\{{ ${text} }}`;

const audit = 'npm audit --omit=dev --audit-level=high';

describe('.github/workflows', () => {
  it.each(names)('%s: its jobs that run Node have that of package.json', (name) => {
    const versions = new Set(Object.values(readPackageJson().optionalDependencies));
    const jobs = Object.values(read(name).jobs).filter((job) => commandsOf(job).join().includes('npm'));
    expect(jobs.length).toBeGreaterThan(0);
    for (const { container } of jobs)
      expect([...versions].map((version) => `node:${version}`)).toEqual([container]);
  });

  it.each(names)('%s: may read the repository and no more, and leaves no credentials behind', (name) => {
    const { permissions, jobs } = read(name);
    expect(permissions).toEqual({ contents: 'read' });
    for (const { steps, permissions: more = {} } of Object.values(jobs)) {
      expect({ contents: 'read', 'id-token': 'write' }).toMatchObject(more);
      const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      expect(checkouts).toEqual([{ uses: expect.any(String), with: { 'persist-credentials': false } }]);
    }
  });

  it('release.yml: on a tag, dependencies are looked through before the tests, and the image is built after', () => {
    const { on, jobs } = read('release.yml');
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(commandsOf(jobs['test'])).toEqual(['npm ci', audit, 'npm test']);
    expect(jobs['test']?.steps.at(-1)?.env).toEqual({ CI: 'true' });
    expect(jobs['image']?.needs).toBe('test');
  });

  it('release.yml: the image is for both kinds of machine, says what is in it, and is signed by its digest', () => {
    const { steps = [], permissions } = read('release.yml').jobs['image'] ?? {};
    expect(commandsOf(read('release.yml').jobs['image'])[0]).toMatch(/^echo "VERSION=.*#v.*GITHUB_ENV"$/);
    const platforms = 'linux/amd64,linux/arm64';
    const build = steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build).toMatchObject({
      id: 'build',
      with: {
        tags: `${expression('vars.IMAGE')}:${expression('env.VERSION')}`,
        platforms,
        push: true,
        sbom: true,
        provenance: 'mode=max',
      },
    });
    expect(steps.at(-1)).toEqual({
      run: 'cosign sign --yes "$IMAGE@$DIGEST"',
      env: { IMAGE: expression('vars.IMAGE'), DIGEST: expression('steps.build.outputs.digest') },
    });
    expect(permissions).toHaveProperty('id-token', 'write');
  });

  it('audit.yml: each week', () => {
    const { on, jobs } = read('audit.yml');
    expect(on['schedule']).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/) }]);
    expect(Object.values(jobs).flatMap(commandsOf)).toEqual([audit]);
  });
});
