import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { codeBlocks, readText } from '../integration/repository/repository.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { type HttpAnswer, httpCall } from '../support/http-call.ts';
import { type RunningEnvoy, startEnvoy } from '../support/start-envoy.ts';
import { withPatience } from '../support/start-stack.ts';
import { startUpstream, type Upstream } from '../support/start-upstream.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';

const example = fileURLToPath(new URL('../../examples/', import.meta.url));
const snippets = codeBlocks(readText('docs/envoy.md'), 'yaml');

/** As much of a bootstrap as is looked at here. */
interface Bootstrap {
  static_resources: {
    listeners: [{ filter_chains: [{ filters: [{ typed_config: ConnectionManager }] }] }];
    clusters: { name: string }[];
  };
}
interface ConnectionManager {
  route_config: { virtual_hosts: [{ routes: { match: { prefix: string } }[] }] };
  http_filters: { name: string }[];
}

/** The snippets of docs/envoy.md that begin with a word, as YAML. */
function snippetsOf(word: string): object[] {
  return snippets.filter((text) => text.startsWith(word)).map((text) => parse(text) as object);
}

describeWithTools(['envoy'], 'examples/envoy.yaml, with the snippets of docs/envoy.md in it', () => {
  let weir: RunningWeir;
  let upstream: Upstream;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    upstream = await startUpstream();
    weir = await startWeir({ rules: `${example}config`, env: { BACKEND_TYPE: 'memory' } });
    envoy = await startExample((bootstrap) => {
      const { routes } = connectionManagerOf(bootstrap).route_config.virtual_hosts[0];
      const added = snippetsOf('match:') as typeof routes;
      expect(added.map(({ match }) => match.prefix)).toEqual(['/report', '/beta']);
      routes.unshift(...added);
      const breakers = snippetsOf('circuit_breakers:');
      expect(breakers).toHaveLength(1);
      Object.assign(bootstrap.static_resources.clusters[0] ?? {}, ...breakers);
    });
  });
  afterAll(async () => {
    await Promise.all([envoy?.stop(), weir?.stop(), upstream?.stop()]);
  });

  function startExample(change: (bootstrap: Bootstrap) => void): Promise<RunningEnvoy> {
    return startEnvoy({
      bootstrap: `${example}envoy.yaml`,
      service: weir.address('grpc'),
      upstream: upstream.address,
      edit(text) {
        const bootstrap = parse(withPatience(text).replace('port_value: 3000', portOf(upstream.address)));
        change(bootstrap as Bootstrap);
        return JSON.stringify(bootstrap);
      },
    });
  }

  const get = (path: string, user?: string, at = envoy): Promise<HttpAnswer> =>
    httpCall({
      address: at.listener(10000),
      path,
      headers: user === undefined ? {} : { 'x-user-id': user },
    });

  const told = ({ status, headers }: HttpAnswer) => [
    status,
    headers['x-ratelimit-limit'],
    headers['x-ratelimit-remaining'],
  ];

  it('the address of the client and its user are two limits of every request', async () => {
    const both = '100, 100;w=60;name="public-api", 1000;w=3600;name="user"';
    expect(told(await get('/', 'ann')).slice(0, 2)).toEqual([200, both]);
    expect(told(await get('/')).slice(0, 2)).toEqual([200, '100, 100;w=60;name="public-api"']);
  });

  it('a route with rate limits of its own has only these; beyond them is 429', async () => {
    expect((await get('/login')).headers['x-ratelimit-limit']).toBe('5');
    const refused = await waitUntil('a refusal', async () => {
      const answer = await get('/login');
      return answer.status === 429 && answer;
    });
    expect(refused.headers).toMatchObject({ 'x-envoy-ratelimited': 'true', 'x-ratelimit-remaining': '0' });
    expect((await get('/comments', 'ann')).headers['x-ratelimit-limit']).toBe('3');
    expect((await get('/comments')).headers['x-ratelimit-limit']).toBeUndefined();
  });

  it('a report costs ten, and gives back what the service did not need', async () => {
    upstream.setHeaders({ 'x-unused': '4' });
    expect(told(await get('/report', 'bob'))).toEqual([200, '1000, 1000;w=3600;name="user"', '990']);
    await waitUntil('four to be given back', async () => (await leftOf('bob')) === 994);
    upstream.setHeaders({});
  });

  it('a route brings a limit of its own', async () => {
    expect(told(await get('/beta', 'ann'))).toEqual([200, '7, 7;w=60', '6']);
  });

  it('Envoy has counted no error', async () => {
    const stats = await envoy.stats('^cluster.service.ratelimit.');
    expect(stats['cluster.service.ratelimit.ok']).toBeGreaterThan(0);
    expect(stats['cluster.service.ratelimit.over_limit']).toBeGreaterThan(0);
    expect(stats['cluster.service.ratelimit.error'] ?? 0).toBe(0);
  });

  it("the values of Istio's EnvoyFilters, in the place of the example's own", async () => {
    const [filter, actions] = envoyFilterValues();
    await using istio = await startExample((bootstrap) => {
      const manager = connectionManagerOf(bootstrap);
      manager.http_filters[0] = parse(withPatience(JSON.stringify(filter)));
      const [host] = manager.route_config.virtual_hosts;
      Object.assign(host, actions);
      const [cluster] = bootstrap.static_resources.clusters;
      if (cluster !== undefined) cluster.name = 'outbound|8081||weir.default.svc.cluster.local';
    });
    const [status, limit] = told(await get('/', 'carl', istio));
    expect([status, limit]).toEqual([200, '100, 100;w=60;name="public-api"']);
  });

  /** What is left of a user's limit: a look past Envoy. */
  async function leftOf(value: string): Promise<number | undefined> {
    const descriptors = [{ entries: [{ key: 'user', value }], hitsAddend: 0 }];
    const body = JSON.stringify({ domain: 'api', descriptors });
    const answer = await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
    return (JSON.parse(answer.body) as { statuses: { limitRemaining?: number }[] }).statuses[0]
      ?.limitRemaining;
  }
});

function connectionManagerOf(bootstrap: Bootstrap): ConnectionManager {
  return bootstrap.static_resources.listeners[0].filter_chains[0].filters[0].typed_config;
}

function portOf(address: string): string {
  return `port_value: ${address.slice(address.lastIndexOf(':') + 1)}`;
}

interface EnvoyFilter {
  readonly spec: { readonly configPatches: readonly [{ readonly patch: { readonly value: object } }] };
}

/** What the two EnvoyFilters of docs/envoy.md put into Envoy: a filter, and a part of a virtual host. */
function envoyFilterValues(): readonly object[] {
  const text = snippets.find((snippet) => snippet.includes('kind: EnvoyFilter')) ?? '';
  return parseAllDocuments(text).map(
    (document) => (document.toJS() as EnvoyFilter).spec.configPatches[0].patch.value,
  );
}
