import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { makeE2eCertificates } from '../support/e2e-certificates.ts';
import { httpCall } from '../support/http-call.ts';
import type { RunningEnvoy } from '../support/start-envoy.ts';
import { startUpstream, type Upstream } from '../support/start-upstream.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
import { get, hostOf, limitIn, rules, snippetOf, startExample, weirClusterOf } from './example-envoy.ts';

const publicApi = '100, 100;w=60;name="public-api"';

describeWithTools(['envoy'], 'examples/envoy/envoy.yaml, with the snippets of docs/envoy.md in it', () => {
  let weir: RunningWeir;
  let upstream: Upstream;
  let envoy: RunningEnvoy;
  beforeAll(async () => {
    upstream = await startUpstream();
    weir = await startWeir({ rules, env: { BACKEND_TYPE: 'memory' } });
    envoy = await startExample({ weir, upstream }, (bootstrap) => {
      hostOf(bootstrap).routes.unshift(
        snippetOf('match: { prefix: "/report"'),
        snippetOf('match: { prefix: "/beta"'),
      );
      Object.assign(weirClusterOf(bootstrap), snippetOf('circuit_breakers:'));
    });
  });
  afterAll(async () => {
    await Promise.all([envoy?.stop(), weir?.stop(), upstream?.stop()]);
  });

  it('the address of the client and its user are two limits of every request', async () => {
    const both = `${publicApi}, 1000;w=3600;name="user"`;
    expect(limitIn(await get(envoy, '/', 'ann'))).toEqual([200, both]);
    expect(limitIn(await get(envoy, '/'))).toEqual([200, publicApi]);
  });

  it('a route with rate limits of its own has only these; beyond them is 429', async () => {
    expect(limitIn(await get(envoy, '/login'))).toEqual([200, '5']);
    const refused = await waitUntil('a refusal', async () => {
      const answer = await get(envoy, '/login');
      return answer.status === 429 && answer;
    });
    expect(refused.headers).toMatchObject({ 'x-envoy-ratelimited': 'true', 'x-ratelimit-remaining': '0' });
    expect(limitIn(await get(envoy, '/comments', 'ann'))).toEqual([200, '3']);
    expect(limitIn(await get(envoy, '/comments'))).toEqual([200, undefined]);
  });

  it('a report costs ten, and gives back what the service did not need', async () => {
    upstream.setHeaders({ 'x-unused': '4' });
    const { headers } = await get(envoy, '/report', 'bob');
    expect(headers['x-ratelimit-remaining']).toBe('990');
    await waitUntil('four to be given back', async () => (await leftOf('bob')) === 994);
    upstream.setHeaders({});
  });

  it('a route brings a limit of its own', async () => {
    expect(limitIn(await get(envoy, '/beta', 'ann'))).toEqual([200, '7, 7;w=60']);
  });

  it('Envoy has counted no error', async () => {
    const stats = await envoy.stats('^cluster.service.ratelimit.');
    expect(stats['cluster.service.ratelimit.ok']).toBeGreaterThan(0);
    expect(stats['cluster.service.ratelimit.over_limit']).toBeGreaterThan(0);
    expect(stats['cluster.service.ratelimit.error'] ?? 0).toBe(0);
  });

  /** What is left of a user's limit: a look past Envoy. */
  async function leftOf(value: string): Promise<number | undefined> {
    const descriptors = [{ entries: [{ key: 'user', value }], hitsAddend: 0 }];
    const body = JSON.stringify({ domain: 'api', descriptors });
    const answer = await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
    const { statuses } = JSON.parse(answer.body) as { statuses: { limitRemaining?: number }[] };
    return statuses[0]?.limitRemaining;
  }
});

describeWithTools(['envoy', 'openssl'], 'examples/envoy/envoy.yaml with the TLS of docs/envoy.md', () => {
  it('speaks TLS 1.3 with a certificate of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-example-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    makeE2eCertificates(folder);
    const env = {
      BACKEND_TYPE: 'memory',
      GRPC_SERVER_USE_TLS: 'true',
      GRPC_SERVER_TLS_CERT: join(folder, 'server.crt'),
      GRPC_SERVER_TLS_KEY: join(folder, 'server.key'),
      GRPC_CLIENT_TLS_CACERT: join(folder, 'ca.crt'),
    };
    await using upstream = await startUpstream();
    await using weir = await startWeir({ rules, env });
    await using envoy = await startExample({ weir, upstream }, (bootstrap) => {
      const tls = JSON.stringify(snippetOf('transport_socket:'))
        .replaceAll('/certs/', `${folder}/`)
        .replaceAll('weir.example.com', 'server.e2e.test');
      Object.assign(weirClusterOf(bootstrap), JSON.parse(tls));
    });
    expect(limitIn(await get(envoy, '/'))).toEqual([200, publicApi]);
    const version = 'cluster.weir.ssl.versions.TLSv1.3';
    expect((await envoy.stats(`^${version}$`))[version]).toBeGreaterThan(0);
  });
});
