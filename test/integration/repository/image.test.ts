import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../scripts/run-command.ts';
import { describeUnless } from '../../support/describe-with-tools.ts';
import { httpCall } from '../../support/http-call.ts';
import { startProcess } from '../../support/start-process.ts';
import { startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type ImageTree, makeImageRoot, makeImageTree } from './image-tree.ts';
import { startNameServer } from './name-server.ts';
import { root } from './repository.ts';

const rulesOf = (requests: number) =>
  `domain: shop\ndescriptors:\n  - key: user\n    rate_limit: { unit: day, requests_per_unit: ${requests} }\n`;

const filesOf = (image: ImageTree) => readdirSync(image.directory, { recursive: true });

let target: string;
let image: ImageTree;

beforeAll(async () => {
  target = mkdtempSync(join(tmpdir(), 'weir-image-'));
  image = await makeImageTree(target);
});
afterAll(() => rmSync(target, { recursive: true, force: true }));

describe('the compiled program, with what the image has', () => {
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

const mayChroot = process.platform === 'linux' && spawnSync('chroot', ['/', 'true']).status === 0;

describeUnless(mayChroot ? undefined : 'needs Linux, and root, for chroot', 'the image', () => {
  let imageRoot: string;

  beforeAll(async () => {
    imageRoot = mkdtempSync(join(tmpdir(), 'weir-image-root-'));
    await makeImageRoot(imageRoot, image);
  });
  afterAll(() => rmSync(imageRoot, { recursive: true, force: true }));

  /** As the image runs: as nobody, with nothing of this machine but its network. */
  const inImage = (...command: string[]) => ['--userspec=65534:65534', imageRoot, ...command];

  /** What a program in it says. */
  async function said(...command: string[]): Promise<string> {
    // A file of this machine, which is not there.
    const env = { NODE_EXTRA_CA_CERTS: '' };
    return (await runCommand('chroot', inImage(...command), { env })).output.trim();
  }

  it('X06: holds Node, the libraries that it is linked with, and nothing that could be started besides', () => {
    const files = readdirSync(imageRoot, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => relative(imageRoot, join(parentPath, name)));
    const linked = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
    const libraries = [...linked.matchAll(/(?:=> |^\s*)\/(\S+) \(0x/gm)].map(([, path = '']) => path);
    expect(libraries).toContainEqual(expect.stringMatching(/\/libc\.so/));
    expect(libraries).toContainEqual(expect.stringMatching(/\/ld-linux/));
    expect(files.filter((path) => !path.startsWith('opt/weir/')).sort()).toEqual(
      [
        ...libraries,
        ...['bin', 'bin/ratelimit', 'bin/weir', 'usr/bin/ratelimit', 'usr/bin/weir', 'usr/local/bin/node'],
        ...['etc/group', 'etc/nsswitch.conf', 'etc/passwd'],
      ].sort(),
    );
  });

  it('X06: has no shell, not even for Node to start', async () => {
    const script = 'require("node:child_process").exec("true", (error) => console.log(error?.code))';
    expect(await said('/usr/local/bin/node', '-e', script)).toBe('ENOENT');
  });

  it('serves as /bin/ratelimit, decides, and tells its health', async () => {
    mkdirSync(join(imageRoot, 'rules/config'), { recursive: true });
    writeFileSync(join(imageRoot, 'rules/config/shop.yaml'), rulesOf(5));
    const env = {
      ...{ HOST: '127.0.0.1', PORT: '0', GRPC_HOST: '127.0.0.1', GRPC_PORT: '0', DEBUG_PORT: '0' },
      ...{ RUNTIME_ROOT: '/', RUNTIME_SUBDIRECTORY: 'rules', DRAIN_DELAY: '0s' },
    };
    await using weir = await startProcess('chroot', inImage('/bin/ratelimit'), { env });
    const started = await waitUntil('the start', () => weir.lines.find((line) => line.includes('"started"')));
    const { http, grpc } = JSON.parse(started) as Record<'http' | 'grpc', string>;
    await expect(httpCall({ address: http, path: '/livez' })).resolves.toMatchObject({ status: 200 });
    await waitUntil(
      'the rules',
      async () => (await httpCall({ address: http, path: '/readyz' })).status === 200,
    );
    await expect(httpCall({ address: http, path: '/metrics' })).resolves.toMatchObject({ status: 200 });

    expect(await said('/bin/weir', 'call', '-t', grpc, '-d', 'shop', 'user=ann')).toContain(
      '4 of 5 per day left',
    );
    const port = http.split(':')[1] ?? '';
    await using health = await startProcess('chroot', inImage('/bin/weir', 'health'), {
      env: { PORT: port },
    });
    expect(await health.ended).toEqual({ code: 0, signal: null });
    expect(await weir.stop()).toEqual({ code: 0, signal: null });
  });

  it('finds hosts in /etc/hosts and by DNS, and has authorities for TLS', async () => {
    const server = await startNameServer('127.53.53.53', [192, 0, 2, 7]);
    // Runtimes mount both.
    writeFileSync(join(imageRoot, 'etc/hosts'), '192.0.2.9 in-hosts.test\n');
    writeFileSync(join(imageRoot, 'etc/resolv.conf'), `nameserver ${server.host}\n`);
    onTestFinished(() => {
      for (const name of ['hosts', 'resolv.conf']) rmSync(join(imageRoot, 'etc', name));
    });
    const script = `
      const { lookup } = require('node:dns').promises;
      const found = ['in-hosts.test', 'in-dns.test'].map(async (name) => (await lookup(name, 4)).address);
      Promise.all(found).then((all) => console.log(...all, require('node:tls').rootCertificates.length > 50));`;
    expect(await said('/usr/local/bin/node', '-e', script)).toBe('192.0.2.9 192.0.2.7 true');
  });
});
