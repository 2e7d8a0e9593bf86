import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { httpCall } from '../support/http-call.ts';
import { requireTool } from '../support/tools.ts';
import { waitUntil } from '../support/wait-until.ts';
import { mountsOf, readComposeFile } from './compose-file.ts';
import { type ComposeProcesses, startComposeProcesses } from './compose-processes.ts';

const file = readComposeFile(join(root, 'examples/envoy/compose.yaml'));
const { services, directory } = file;

describe('examples/envoy/compose.yaml', () => {
  it('names files and services that there are', () => {
    for (const service of Object.values(services)) {
      for (const { source } of mountsOf(service, directory)) expect(existsSync(source), source).toBe(true);
      for (const other of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(other);
      if (service.build) expect(existsSync(join(directory, service.build, 'Dockerfile'))).toBe(true);
    }
  });

  it('opens nothing but Envoy, and that to this machine only', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => [name, port]),
    );
    expect(published).toEqual([['envoy', '127.0.0.1:10000:10000']]);
  });
});

describeWithTools(['envoy', 'redis-server', 'python3'], 'examples/envoy/compose.yaml, as processes', () => {
  let stack: ComposeProcesses;
  beforeAll(async () => {
    stack = await startComposeProcesses(file);
    await waitUntil('Envoy to be ready', async () => {
      return (await httpCall({ address: stack.address('envoy', 9901), path: '/ready' })).status === 200;
    });
  });
  afterAll(() => stack?.[Symbol.asyncDispose]());

  const get = (user: string) =>
    httpCall({ address: stack.address('envoy', 10000), path: '/', headers: { 'x-user-id': user } });

  it('a request is counted in Redis, and reaches the service', async () => {
    const limits = await waitUntil('an answer of Weir in time', async () => {
      return (await get('ann')).headers['x-ratelimit-limit'];
    });
    expect(await get('ann')).toMatchObject({ status: 200, body: expect.stringContaining('<html') });
    expect(limits).toBe('100, 100;w=60;name="public-api", 1000;w=3600;name="user"');
    const keys = await stack.run('redis', ['redis-cli', 'dbsize']);
    expect(Number(keys.output)).toBeGreaterThanOrEqual(2);
    expect(stack.process('service').lines.join('\n')).toContain('"GET / HTTP/1.1" 200');
  });

  it('Weir had nothing to say about its settings', async () => {
    const lines = stack.process('weir').lines.map((line) => JSON.parse(line) as { variable?: string });
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter(({ variable }) => variable !== undefined)).toEqual([]);
  });

  it('the Envoy of the file is the one that is tried', () => {
    const version = /:v([\d.]+)$/.exec(services['envoy']?.image ?? '')?.[1];
    expect(execFileSync(requireTool('envoy'), ['--version']).toString()).toContain(`/${version}/`);
  });
});
