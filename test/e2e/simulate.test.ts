import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SimulationReport } from '../../src/simulate/report/report.ts';
import { runWeir } from '../integration/cli/run-weir.ts';
import { readText } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { startUpstream, type Upstream } from '../support/start-upstream.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { connectionManagerOf, get, startExample } from './example-envoy.ts';

/** The limits of the example, by the day: the clocks of Envoy's log and of Weir may stand on two sides of a shorter window's end. */
const rules = `domain: api
descriptors:
  - { key: remote_address, rate_limit: { unit: day, requests_per_unit: 8 } }
  - { key: user, rate_limit: { unit: day, requests_per_unit: 3 } }
  - key: route
    value: login
    descriptors: [{ key: remote_address, rate_limit: { unit: day, requests_per_unit: 4 } }]
  - key: route
    value: comments
    descriptors: [{ key: user, rate_limit: { unit: day, requests_per_unit: 2 } }]
`;

/** Path and user of each request, in their order. */
const requests: readonly (readonly [path: string, user?: string])[] = [
  ...Array.from({ length: 6 }, () => ['/login'] as const),
  ...Array.from({ length: 4 }, () => ['/comments', 'ann'] as const),
  ['/comments'], // without a user there is no descriptor
  ...Array.from({ length: 5 }, () => ['/', 'ann'] as const),
  ...Array.from({ length: 5 }, () => ['/products?page=1'] as const),
];

/** The access log that the comment of the example mapping shows. */
function accessLogOf(mapping: string, path: string): object {
  const lines = mapping
    .split('\n')
    .filter((line) => line.startsWith('#   - name') || line.startsWith('#     '));
  const yaml = lines.map((line) => line.slice(4)).filter((line) => !line.startsWith('  --log'));
  const [log] = parse(yaml.join('\n')) as [{ typed_config: { path: string } }];
  log.typed_config.path = path;
  return log;
}

describeWithTools(['envoy'], "weir simulate, with Envoy's own access log", () => {
  let folder: string;
  let weir: RunningWeir;
  let upstream: Upstream;
  let envoy: RunningEnvoy;
  const at = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-access-log-'));
    upstream = await startUpstream();
    weir = await startWeir({ rules: { 'api.yaml': rules }, env: { BACKEND_TYPE: 'memory' } });
    envoy = await startExample({ weir, upstream }, (bootstrap) => {
      const json = accessLogOf(readText('examples/simulate/mapping.yaml'), at('access-log.json'));
      const text = {
        name: 'envoy.access_loggers.file',
        typed_config: {
          '@type': 'type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog',
          path: at('access-log.txt'),
        },
      };
      Object.assign(connectionManagerOf(bootstrap), { access_log: [json, text] });
    });
    await writeFile(at('api.yaml'), rules);
  });
  afterAll(async () => {
    await Promise.all([envoy?.stop(), weir?.stop(), upstream?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  async function simulated(mapping: string, log: string): Promise<SimulationReport> {
    await waitUntil(`${log} to have every request`, async () => {
      return (await readFile(at(log), 'utf8').catch(() => '')).split('\n').length > requests.length;
    });
    const mapped = ['--format', 'envoy', '--mapping', `examples/simulate/${mapping}`, '--log', at(log)];
    const { status, out, err } = await runWeir([
      'simulate',
      '-c',
      at('api.yaml'),
      ...mapped,
      '--output',
      'json',
    ]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    return JSON.parse(out) as SimulationReport;
  }

  it('denies in the replay what was denied', async () => {
    const denied: string[] = [];
    for (const [path, user] of requests) {
      if ((await get(envoy, path, user)).status === 429) denied.push(path);
    }
    expect(denied).toEqual([
      '/login',
      '/login',
      '/comments',
      '/comments',
      '/',
      '/',
      '/products?page=1',
      '/products?page=1',
    ]);

    const { log, configurations } = await simulated('mapping.yaml', 'access-log.json');
    expect(log).toMatchObject({ requests: requests.length - 1, linesWithoutRequest: 1, badLines: 0 });
    expect(configurations[0]).toMatchObject({ denied: denied.length, failed: 0 });
    const deniedBy = configurations[0]?.rules.map(({ rule, denied }) => [rule, denied]);
    expect(Object.fromEntries(deniedBy ?? [])).toEqual({
      'api.remote_address': 2,
      'api.user': 2,
      'api.route_login.remote_address': 2,
      'api.route_comments.user': 2,
    });
  });

  it('reads the text that Envoy writes unless told otherwise', async () => {
    const { log, configurations } = await simulated('mapping-text.yaml', 'access-log.txt');
    // Those for comments are not in its mapping, as users are not in the text.
    expect(log).toMatchObject({ requests: requests.length - 5, linesWithoutRequest: 5, badLines: 0 });
    const deniedBy = configurations[0]?.rules.map(({ rule, denied }) => [rule, denied]);
    expect(Object.fromEntries(deniedBy ?? [])).toMatchObject({
      'api.remote_address': 2,
      'api.route_login.remote_address': 2,
    });
  });
});
