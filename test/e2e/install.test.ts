import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';
import { codeBlocks, readText, root, sectionOf } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { freePorts } from '../support/free-port.ts';
import { startProcess, type TestProcess } from '../support/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { readComposeFile } from './compose-file.ts';
import { type ComposeProcesses, startComposeProcesses } from './compose-processes.ts';

const page = readText('docs/install.md');
const commandsOf = (text: string) => codeBlocks(text, 'sh').flatMap((block) => block.trim().split('\n'));

/** Commands that cannot be given here, and the test that does with their file what they would. */
const elsewhere: Readonly<Record<string, string>> = {
  'docker build --tag weir .': 'test/integration/repository/image.test.ts',
  'docker compose -f examples/envoy/compose.yaml up --build --wait': 'test/e2e/compose.test.ts',
  'kubectl -n default apply -f examples/istio/rate-limit-service.yaml': 'test/e2e/istio.test.ts',
  'kubectl apply -f examples/istio/envoy-filters.yaml': 'test/e2e/istio.test.ts',
  'helm upgrade eg CHART --namespace envoy-gateway-system --reuse-values -f examples/envoy-gateway/values.yaml':
    'test/integration/repository/envoy-gateway-page.test.ts',
  'egctl config envoy-ratelimit': 'test/e2e/envoy-gateway.test.ts',
  'kubectl apply -f examples/envoy-gateway/policy.yaml':
    'test/integration/repository/envoy-gateway-page.test.ts',
  'docker run --rm -p 8080:8080 -p 8081:8081 -e RUNTIME_ROOT=/limits -v "$PWD/limits:/limits:ro" weir':
    'test/integration/repository/image.test.ts',
  "for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code}\\n' http://GATEWAY/productpage; done":
    'test/e2e/istio.test.ts',
  "for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code}\\n' http://GATEWAY/; done":
    'test/e2e/envoy-gateway.test.ts',
};

/** Those that are given below. */
const here = [
  'npm ci && npm start',
  'npx weir call -d api route=login,remote_address=192.0.2.1',
  'npx weir explain -c examples/config -d api route=login,remote_address=192.0.2.1',
  'npx weir check examples/config',
  'mkdir -p limits/config && cp examples/config/api.yaml limits/config',
  'RUNTIME_ROOT="$PWD/limits" npm start',
  "curl -i http://127.0.0.1:10000/ -H 'x-user-id: ann'",
  "for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:10000/login; done",
];

describe('docs/install.md', () => {
  it('has the commands that are exercised, and no other', () => {
    expect(commandsOf(page).sort()).toEqual([...here, ...Object.keys(elsewhere)].sort());
  });

  it.each(Object.entries(elsewhere))('%s: %s has its files', (command, test) => {
    const files = [...command.matchAll(/examples\/\S+\.yaml/g)].map(([file]) => basename(file));
    expect(files.filter((file) => !readText(test).includes(file))).toEqual([]);
  });
});

describe('docs/install.md, local', () => {
  const ports = { grpc: 0, http: 0 };
  let weir: TestProcess;
  beforeAll(async () => {
    weir = await npmStart({});
  });
  afterAll(() => weir?.[Symbol.asyncDispose]());

  /** On free ports. Resolves when it is ready. */
  async function npmStart(env: Readonly<Record<string, string>>): Promise<TestProcess> {
    const [grpc = 0, http = 0] = await freePorts(2);
    Object.assign(ports, { grpc, http });
    const free = { GRPC_PORT: String(grpc), PORT: String(http), DEBUG_PORT: '0', DRAIN_DELAY: '0s' };
    const started = await startProcess(process.execPath, ['scripts/start.js'], {
      env: { ...free, ...env },
      cwd: root,
    });
    await waitUntil('weir to be ready', async () => {
      if (started.exit !== undefined) throw new Error(started.lines.join('\n'));
      return (await fetch(`http://127.0.0.1:${http}/readyz`)).ok;
    });
    return started;
  }

  const weirCommand = (command: string, ...more: string[]) => {
    const args = command.replace(/^npx weir /, '').split(' ');
    return runCommand(process.execPath, ['bin/weir.js', ...args, ...more], { cwd: root });
  };

  it('the sixth login of ten seconds is denied', async () => {
    const [, call = ''] = here;
    const denied = await waitUntil('a denial', async () => {
      const six = Array.from({ length: 6 }, () => weirCommand(call, '-t', `127.0.0.1:${ports.grpc}`));
      const outputs = (await Promise.all(six)).map(({ output }) => output);
      return outputs.find((output) => output.startsWith('OVER_LIMIT'));
    });
    expect(denied).toContain('0 of 5 per window left');
  });

  it('rules are checked and explained', async () => {
    const [, , explain = '', check = ''] = here;
    expect(await weirCommand(check)).toMatchObject({ ok: true });
    expect((await weirCommand(explain)).output).toContain('=> rule api.route_login.remote_address');
  });

  it("rules of one's own are served from where RUNTIME_ROOT says", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-install-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await symlink(join(root, 'examples'), join(folder, 'examples'));
    const [, , , , write = ''] = here;
    expect(await runCommand('sh', ['-c', write], { cwd: folder })).toMatchObject({ ok: true });
    await using own = await npmStart({ RUNTIME_ROOT: join(folder, 'limits') });
    const loaded = own.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(loaded).toContainEqual(
      expect.objectContaining({ '@message': 'configuration loaded', domains: 1 }),
    );
  });
});

describeWithTools(['envoy', 'redis-server', 'python3', 'curl'], 'docs/install.md, plain Envoy', () => {
  let stack: ComposeProcesses;
  beforeAll(async () => {
    stack = await startComposeProcesses(readComposeFile(join(root, 'examples/envoy/compose.yaml')));
  });
  afterAll(() => stack?.[Symbol.asyncDispose]());

  /** In a shell, as it stands, but for the port that the test has. */
  const inShell = (command: string) => {
    const text = command.replaceAll('127.0.0.1:10000', stack.address('envoy', 10000));
    return runCommand('sh', ['-c', text], { cwd: root });
  };
  const [ask = '', login = ''] = commandsOf(sectionOf(page, '## Plain Envoy')).slice(1);

  it('a request carries its limit', async () => {
    const { output } = await waitUntil('an answer of Weir in time', async () => {
      const asked = await inShell(ask);
      return asked.output.includes('x-ratelimit-limit') && asked;
    });
    expect(output).toContain('HTTP/1.1 200');
    expect(output).toContain('x-ratelimit-remaining');
  });

  it('the sixth login is refused', async () => {
    const { output } = await waitUntil('six logins within ten seconds', async () => {
      const asked = await inShell(login);
      return asked.output.includes('429') && asked;
    });
    // The service has no such page.
    expect(output.replaceAll('404\n', '').replaceAll('429\n', '')).toBe('');
  });
});
