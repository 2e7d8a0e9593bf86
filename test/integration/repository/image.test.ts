import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { httpCall } from '../../support/http-call.ts';
import { startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type ImageTree, makeImageTree } from './image-tree.ts';
import { root } from './repository.ts';

const rulesOf = (requests: number) =>
  `domain: shop\ndescriptors:\n  - key: user\n    rate_limit: { unit: day, requests_per_unit: ${requests} }\n`;

const filesOf = (image: ImageTree) => readdirSync(image.directory, { recursive: true });

describe('the compiled program, with what the image has', () => {
  let target: string;
  let image: ImageTree;

  beforeAll(async () => {
    target = mkdtempSync(join(tmpdir(), 'weir-image-'));
    image = await makeImageTree(target);
  });
  afterAll(() => rmSync(target, { recursive: true, force: true }));

  it('has no sources, no tests and no development packages', () => {
    expect(readdirSync(image.directory).sort()).toEqual([
      'LICENSE',
      'bin',
      'dist',
      'node_modules',
      'package.json',
      'proto',
    ]);
    const compiled = readdirSync(join(image.directory, 'dist'), { recursive: true }).map(String);
    expect(compiled.filter((name) => /\.test\.|\.ts$/.test(name))).toEqual([]);
    expect(readdirSync(join(image.directory, 'node_modules'))).not.toContain('typescript');
  });

  it('checks and explains rules', async () => {
    const examples = join(root, 'examples/config');
    const checked = await runCommand(image.weir, ['check', examples]);
    expect(checked.output).toContain('0 refused, 0 ignored, 0 to look at');
    const args = ['explain', '-c', examples, '-d', 'api', 'user=ann'];
    expect((await runCommand(image.weir, args)).output).toContain('=> rule api.user');
  });

  it('serves as /bin/ratelimit without arguments, decides, and loads changed rules through its parser thread', async () => {
    const before = filesOf(image);
    const runtime = join(target, 'runtime');
    const rules = join(runtime, 'service/config');
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'shop.yaml'), rulesOf(5));
    await using weir = await startWeir({ rules, program: image.ratelimit });

    const call = ['call', '-t', weir.address('grpc'), '-d', 'shop', 'user=ann'];
    expect((await runCommand(image.weir, call)).output).toContain('4 of 5 per day left');

    writeFileSync(join(rules, 'shop.yaml'), rulesOf(50));
    const rlconfig = () => httpCall({ address: weir.address('debug'), path: '/rlconfig' });
    await waitUntil('the new limit', async () => (await rlconfig()).body.includes('requests_per_unit=50,'));
    expect((await runCommand(image.weir, call)).output).toContain('48 of 50 per day left');
    await weir.stop();
    // The root file system may be read-only.
    expect(filesOf(image)).toEqual(before);
  });

  it('tells its health by the exit status, as HEALTHCHECK wants it', async () => {
    await using weir = await startWeir({ rules: { 'shop.yaml': rulesOf(5) }, program: image.ratelimit });
    const [host = '', port = ''] = weir.address('http').split(':');
    expect(await runCommand(image.weir, ['health'], { env: { HOST: host, PORT: port } })).toMatchObject({
      ok: true,
      output: 'ready\n',
    });
    await weir.stop();
    expect(await runCommand(image.weir, ['health'], { env: { HOST: host, PORT: port } })).toMatchObject({
      ok: false,
    });
  });
});
