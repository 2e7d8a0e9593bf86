import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  'helm install weir k8s/chart --namespace limits --create-namespace': 'test/integration/k8s/running.test.ts',
  'helm upgrade eg CHART --namespace envoy-gateway-system --reuse-values -f examples/envoy-gateway/values.yaml':
    'test/integration/repository/envoy-gateway-page.test.ts',
  'egctl config envoy-ratelimit': 'test/e2e/envoy-gateway.test.ts',
};

/** Those that are given below. */
const here = [
  'npm ci && npm start',
  'npx weir call -d api route=login,remote_address=192.0.2.1',
  'npx weir check examples/config',
  'npx weir explain -c examples/config -d api route=login,remote_address=192.0.2.1',
  "curl -i http://127.0.0.1:10000/ -H 'x-user-id: ann'",
  "for i in 1 2 3 4 5 6; do curl -s -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:10000/login; done",
];

describe('docs/install.md', () => {
  it('has the commands that are exercised, and no other', () => {
    expect(commandsOf(page).sort()).toEqual([...here, ...Object.keys(elsewhere)].sort());
  });

  it.each(Object.entries(elsewhere))('%s: %s is there', (_, test) => {
    expect(existsSync(join(root, test))).toBe(true);
  });
});

describe('docs/install.md, local', () => {
  const ports = { grpc: 0, http: 0 };
  let weir: TestProcess;
  beforeAll(async () => {
    const [grpc = 0, http = 0] = await freePorts(2);
    Object.assign(ports, { grpc, http });
    const env = { GRPC_PORT: String(grpc), PORT: String(http), DEBUG_PORT: '0', DRAIN_DELAY: '0s' };
    weir = await startProcess(process.execPath, ['scripts/start.js'], { env, cwd: root });
    await waitUntil('weir to be ready', async () => {
      if (weir.exit !== undefined) throw new Error(weir.lines.join('\n'));
      return (await fetch(`http://127.0.0.1:${http}/readyz`)).ok;
    });
  });
  afterAll(() => weir?.[Symbol.asyncDispose]());

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
    const [, , check = '', explain = ''] = here;
    expect(await weirCommand(check)).toMatchObject({ ok: true });
    expect((await weirCommand(explain)).output).toContain('=> rule api.route_login.remote_address');
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
