import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { makeCertificates } from '../../support/redis-certificates.ts';
import { startCluster } from '../../support/redis-cluster.ts';
import { startSentinels } from '../../support/redis-sentinel.ts';
import { startRedis } from '../../support/redis-server.ts';
import type { RunningWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { callWeir, requestOf } from '../service/call-weir.ts';
import { type Cluster, containerOf, mountVolumes, podOf, startContainer } from './pod.ts';
import { render } from './render.ts';

/** Limits of a user in the domain `shop`. */
function rulesOf(requests: number, unit = 'day'): Readonly<Record<string, string>> {
  const limit = `{ unit: ${unit}, requests_per_unit: ${requests} }`;
  return { 'shop.yaml': `domain: shop\ndescriptors:\n  - key: user\n    rate_limit: ${limit}\n` };
}

/** A pod of the chart with these values, from its rendered environment and mounts. */
async function startPod(values: object, cluster: Cluster = {}) {
  const pod = podOf(await render({ values }));
  const container = containerOf(pod);
  const mounts = await mountVolumes(pod, container, cluster);
  onTestFinished(() => mounts[Symbol.asyncDispose]());
  const weir = await startContainer(container, mounts, cluster);
  onTestFinished(async () => void (await weir.stop()));
  return { weir, mounts };
}

async function remaining(weir: RunningWeir): Promise<unknown> {
  const answer = await callWeir(weir, 'user=ann');
  return 'response' in answer ? (answer.response as { statuses: object[] }).statuses[0] : answer;
}

describeWithTools(['helm'], 'a pod of the chart', () => {
  it('of no values at all serves the example, which its notes ask', async () => {
    const { weir } = await startPod({});
    const client = createGrpcClient(weir.address('grpc'));
    onTestFinished(() => client.close());
    const entries = [{ key: 'remote_address', value: '192.0.2.1' }];
    const answer = await client.call(shouldRateLimit, { domain: 'example', descriptors: [{ entries }] });
    expect(answer).toMatchObject({ response: { overallCode: 'OK', statuses: [{ limitRemaining: 99 }] } });
  });

  it('takes a change of the ConfigMap without a restart', async () => {
    const { weir, mounts } = await startPod({ config: { rules: rulesOf(5) } });
    expect(await remaining(weir)).toMatchObject({ currentLimit: { requestsPerUnit: 5 }, limitRemaining: 4 });
    await mounts.volume('weir-rules').publish(rulesOf(9));
    await waitUntil('the new limit', async () => {
      const status = (await remaining(weir)) as { currentLimit?: { requestsPerUnit: number } };
      return status.currentLimit?.requestsPerUnit === 9;
    });
    expect(weir.exit).toBeUndefined();
  });

  it('takes the rules of a ConfigMap that is there already', async () => {
    const values = { config: { existingConfigMap: 'team-rules' } };
    const { weir } = await startPod(values, { data: { 'team-rules': rulesOf(7) } });
    expect(await remaining(weir)).toMatchObject({ currentLimit: { requestsPerUnit: 7 } });
  });
});

describeWithTools(['helm', 'redis-server', 'openssl'], 'a pod of the chart, with secrets', () => {
  it('asks Redis with mutual TLS and a password from a file', async () => {
    await using redis = await startRedis({
      tls: true,
      password: 'secret-of-redis',
      config: { 'tls-auth-clients': 'yes' },
    });
    const { ca = '', clientCertFile = '', clientKeyFile = '' } = redis.certificates ?? {};
    const certificates = {
      'ca.crt': ca,
      'tls.crt': readFileSync(clientCertFile, 'utf8'),
      'tls.key': readFileSync(clientKeyFile, 'utf8'),
    };
    const values = {
      store: 'redis',
      config: { rules: rulesOf(5) },
      redis: {
        urlSecret: { name: 'redis' },
        auth: { existingSecret: 'redis' },
        tls: { enabled: true, existingSecret: 'redis-tls', clientCertificate: true },
      },
    };
    const secret = { url: redis.tlsAddress, password: 'secret-of-redis\n' };
    const { weir } = await startPod(values, { data: { redis: secret, 'redis-tls': certificates } });
    expect(await remaining(weir)).toMatchObject({ limitRemaining: 4 });
    expect(await redis.client.keys('*')).toEqual(['limits/weir:v1{shop|user=ann}86400']);
  });

  it('asks callers for certificates of the authority that the chart names', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-chart-tls-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { ca, serverCertFile, serverKeyFile, clientCertFile, clientKeyFile } = makeCertificates(folder);
    const pair = {
      'tls.crt': readFileSync(serverCertFile, 'utf8'),
      'tls.key': readFileSync(serverKeyFile, 'utf8'),
    };
    const values = {
      config: { rules: rulesOf(5) },
      grpc: {
        tls: {
          enabled: true,
          existingSecret: 'weir-tls',
          clientCertificates: { required: true, caSecret: 'callers', caKey: 'bundle.pem' },
        },
      },
    };
    const { weir } = await startPod(values, { data: { 'weir-tls': pair, callers: { 'bundle.pem': ca } } });
    const target = `localhost:${weir.address('grpc').split(':').at(-1)}`;
    const call = async (...own: Buffer[]) => {
      const [key = null, cert = null] = own;
      const client = createGrpcClient(target, {
        channelCredentials: credentials.createSsl(Buffer.from(ca), key, cert),
      });
      onTestFinished(() => client.close());
      return client.call(shouldRateLimit, requestOf('user=ann'));
    };
    expect(await call(readFileSync(clientKeyFile), readFileSync(clientCertFile))).toMatchObject({
      response: { overallCode: 'OK' },
    });
    expect(await call()).toMatchObject({ status: 'UNAVAILABLE' });
  });
});

describeWithTools(['helm', 'redis-server', 'redis-sentinel'], 'a pod of the chart, and Redis', () => {
  it('behind Sentinels that want a password of their own', async () => {
    await using sentinels = await startSentinels({ password: 'of-redis', sentinelPassword: 'of-sentinels' });
    const auth = { existingSecret: 'redis', sentinelKey: 'sentinel' };
    const values = {
      store: 'redis',
      config: { rules: rulesOf(5) },
      redis: { type: 'sentinel', url: sentinels.url, auth },
    };
    const data = { redis: { password: 'of-redis', sentinel: 'of-sentinels' } };
    const { weir } = await startPod(values, { data });
    expect(await remaining(weir)).toMatchObject({ limitRemaining: 4 });
  });

  it('a cluster, and a server of its own for limits per second', async () => {
    await using cluster = await startCluster();
    await using second = await startRedis({ password: 'of-second' });
    const perSecond = { enabled: true, url: second.address, auth: { existingSecret: 'second', key: 'pass' } };
    const values = {
      store: 'redis',
      config: { rules: { ...rulesOf(5), 'fast.yaml': fastRules } },
      redis: { type: 'cluster', url: cluster.addresses, perSecond },
    };
    const { weir } = await startPod(values, { data: { second: { pass: 'of-second' } } });
    expect(await remaining(weir)).toMatchObject({ limitRemaining: 4 });
    const client = createGrpcClient(weir.address('grpc'));
    onTestFinished(() => client.close());
    const descriptors = [{ entries: [{ key: 'user', value: 'ann' }] }];
    const fast = await client.call(shouldRateLimit, { domain: 'fast', descriptors });
    expect(fast).toMatchObject({ response: { statuses: [{ limitRemaining: 1000 }] } });
    expect(await second.client.keys('*')).toEqual(['limits/weir:v1{fast|user=ann}1']);
  });

  it.each([
    ['D06: two releases in one namespace', { name: 'blue' }, { name: 'green' }],
    ['D07: two releases of one name in two namespaces', { namespace: 'blue' }, { namespace: 'green' }],
  ])('%s count apart on one Redis; with one prefix, together', async (_, one, two) => {
    await using redis = await startRedis();
    const start = async (release: object, keyPrefix = '') => {
      const values = {
        store: 'redis',
        config: { rules: rulesOf(5) },
        redis: { url: redis.address, keyPrefix },
      };
      const pod = podOf(await render({ ...release, values }));
      const container = containerOf(pod);
      const mounts = await mountVolumes(pod, container);
      onTestFinished(() => mounts[Symbol.asyncDispose]());
      const weir = await startContainer(container, mounts);
      onTestFinished(async () => void (await weir.stop()));
      return weir;
    };
    for (const release of [one, two])
      expect(await remaining(await start(release))).toMatchObject({ limitRemaining: 4 });
    const [shared, alsoShared] = [await start(one, 'shared:'), await start(two, 'shared:')];
    expect(await remaining(shared)).toMatchObject({ limitRemaining: 4 });
    expect(await remaining(alsoShared)).toMatchObject({ limitRemaining: 3 });
  });
});

const fastRules = `domain: fast
descriptors:
  - key: user
    rate_limit: { unit: second, requests_per_unit: 1001 }
`;
