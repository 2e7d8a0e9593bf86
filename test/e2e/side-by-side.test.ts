import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks, readText } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type HttpAnswer, httpCall } from '../support/http-call.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { type RunningEnvoy, startEnvoy } from '../support/start-envoy.ts';
import { startReference } from '../support/start-reference.ts';
import { withPatience } from '../support/start-stack.ts';
import { startUpstream } from '../support/start-upstream.ts';
import { startWeir } from '../support/start-weir.ts';

const limits = `
domain: e2e
descriptors:
- { key: generic_key, value: basic, rate_limit: { unit: year, requests_per_unit: 5 } }
- { key: api_key, rate_limit: { unit: year, requests_per_unit: 2 } }
`;

/** As much of the bootstrap as is changed here. */
interface Bootstrap {
  static_resources: {
    listeners: [{ filter_chains: [{ filters: [{ typed_config: { http_filters: object[] } }] }] }];
    clusters: { name: string; load_assignment: object }[];
  };
}

/** Puts the filter of docs/migrate.md before the one that is there, and a cluster for it beside the other. */
function withShadow(text: string, weir: string): string {
  const [snippet = ''] = codeBlocks(readText('docs/migrate.md'), 'yaml');
  const bootstrap = parse(withPatience(text)) as Bootstrap;
  const { listeners, clusters } = bootstrap.static_resources;
  listeners[0].filter_chains[0].filters[0].typed_config.http_filters.unshift(parse(withPatience(snippet)));
  const [reference] = clusters;
  const [address, port] = weir.split(':');
  const endpoint = { address: { socket_address: { address, port_value: Number(port) } } };
  const assignment = { cluster_name: 'weir', endpoints: [{ lb_endpoints: [{ endpoint }] }] };
  if (reference !== undefined) clusters.push({ ...reference, name: 'weir', load_assignment: assignment });
  return JSON.stringify(bootstrap); // which is YAML
}

describeWithTools(['envoy', 'redis-server', 'reference'], 'docs/migrate.md, side by side in shadow', () => {
  const started = new AsyncDisposableStack();
  let redis: RedisServer;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-side-by-side-'));
    started.defer(() => rm(folder, { recursive: true, force: true }));
    const rules = join(folder, 'ratelimit', 'config');
    await mkdir(rules, { recursive: true });
    await writeFile(join(rules, 'e2e.yaml'), limits);
    redis = started.use(await startRedis());
    const reference = started.use(await startReference({ redis: redis.address, rules }));
    const weir = started.use(await startWeir({ env: { REDIS_URL: redis.address }, rules }));
    const upstream = started.use(await startUpstream());
    envoy = started.use(
      await startEnvoy({
        bootstrap: fileURLToPath(new URL('data/envoy-e2e.yaml', import.meta.url)),
        service: reference.grpc,
        upstream: upstream.address,
        edit: (text) => withShadow(text, weir.address('grpc')),
      }),
    );
  });
  afterAll(() => started.disposeAsync());

  const get = (path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    httpCall({ address: envoy.listener(10000), path, headers });
  const statuses = async (count: number, path: string, headers?: Record<string, string>) => {
    const found: number[] = [];
    for (let sent = 0; sent < count; sent += 1) found.push((await get(path, headers)).status);
    return found;
  };

  it('the one that is enforced decides, and both come to the same', async () => {
    expect(await statuses(8, '/generic')).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(await statuses(3, '/header', { 'x-api-key': 'ann' })).toEqual([200, 200, 429]);
    const stats = await envoy.stats('^cluster.upstream.ratelimit.');
    const of = (prefix: string) =>
      ['ok', 'over_limit', 'error'].map((name) => stats[`cluster.upstream.ratelimit.${prefix}${name}`] ?? 0);
    expect(of('weir.')).toEqual([7, 4, 0]);
    expect(of('')).toEqual([7, 4, 0]);
  });

  it('clients notice nothing of the one in shadow', async () => {
    const { headerList } = await get('/header', { 'x-api-key': 'bob' });
    expect(headerList.filter(([name]) => name.startsWith('x-ratelimit'))).toHaveLength(3);
  });

  it('both count in one Redis, under keys that never meet', async () => {
    await get('/header', { 'x-api-key': 'carl' });
    const [theirs, ours, ...more] = (await redis.client.keys('*carl*')).sort();
    expect(theirs).toMatch(/^e2e_api_key_carl_\d+$/);
    expect(ours).toBe('v1{e2e|api_key=carl}31536000');
    expect(more).toEqual([]);
  });
});
