import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limiterFixture } from '../../support/limiter-fixture.ts';
import { runWeir } from '../cli/run-weir.ts';
import { readText } from './repository.ts';

const page = readText('docs/limits.md');

async function check(...paths: string[]): Promise<string> {
  const { status, out, err } = await runWeir(['check', '--strict', ...paths]);
  return status === 0 ? 'accepted' : out + err;
}

describe('docs/limits.md', () => {
  it.each(['docs/limits.md', 'docs/configuration.md'])('every example of %s is accepted', async (path) => {
    const examples = [...readText(path).matchAll(/^```yaml\n(domain: [\s\S]*?)^```/gm)].map(
      ([, text]) => text,
    );
    expect(examples.length).toBeGreaterThan(2);
    for (const [index, example] of examples.entries()) {
      const directory = await mkdtemp(join(tmpdir(), 'weir-page-'));
      onTestFinished(() => rm(directory, { recursive: true }));
      await writeFile(join(directory, `${index}.yaml`), example as string);
      const isSensitive = example?.includes('sensitive: true') === true;
      if (!isSensitive) expect(await check(directory), example).toBe('accepted');
    }
  });

  it('has a picture of what passes at the edge of a window', async () => {
    const drawn = [...page.matchAll(/^(\w+_\w+) +([ox]{10}) ([ox]{10}) +(\d+)$/gm)];
    expect(drawn.map(([, algorithm]) => algorithm)).toEqual([
      'fixed_window',
      'sliding_window',
      'token_bucket',
    ]);
    for (const [, algorithm, before, after, sum] of drawn) {
      const limit = `{unit: minute, requests_per_unit: 10, algorithm: ${algorithm}}`;
      const { clock, decide } = limiterFixture({
        yaml: `domain: shop\ndescriptors:\n  - {key: k, rate_limit: ${limit}}`,
        time: '2026-01-01T00:00:50Z',
        countDenied: false,
      });
      let passed = '';
      for (let second = 0; second < 20; second += 1) {
        passed += (await decide('k=v')).overallCode === 'OK' ? 'o' : 'x';
        clock.advance(1_000);
      }
      expect([algorithm, passed, passed.replaceAll('x', '').length]).toEqual([
        algorithm,
        `${before}${after}`,
        Number(sum),
      ]);
    }
  });
});

describe('examples/limits', () => {
  it('is accepted, and explained with what each limit is', async () => {
    expect(await check('examples/limits/config')).toBe('accepted');
    const explained = async (descriptor: string) =>
      (await runWeir(['explain', '-c', 'examples/limits/config', '-d', 'limits', descriptor])).out;
    expect(await explained('account=a')).toContain('4 per second and 20 per day');
    expect(await explained('api_key=k')).toContain(
      '50 per second (token bucket of 100) and 100000 per day (warned at 0.8, 0.95)',
    );
    expect(await explained('remote_address=a')).toContain('10 per minute (sliding window)');
    expect(await explained('contract=c')).toContain('by the calendar of Europe/Berlin');
  });
});
