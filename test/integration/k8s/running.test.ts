import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { checkHealth, createGrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { makeCertificates } from '../../support/redis-certificates.ts';
import { startRedis } from '../../support/redis-server.ts';
import type { RunningWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { requestOf, statusOf } from '../service/call-weir.ts';
import type { Probe } from './pod.ts';
import { askOnce, rulesOf } from './pod-rules.ts';
import { startPod } from './start-pod.ts';

/** What a probe of the kubelet's finds. */
async function ask(weir: RunningWeir, { httpGet, grpc }: Probe = {}): Promise<boolean> {
  if (httpGet !== undefined) return (await statusOf(weir.address('http'), httpGet.path)) === 200;
  if (grpc === undefined) throw new Error('a probe that asks nothing');
  const client = createGrpcClient(weir.address('grpc'));
  onTestFinished(() => client.close());
  const answer = await client.call(checkHealth, {});
  return 'response' in answer && answer.response['status'] === 'SERVING';
}

describeWithTools(['helm'], 'a pod of the chart', () => {
  it('of no values at all serves the example, which its notes ask', async () => {
    const { weir } = await startPod({ values: {} });
    const client = createGrpcClient(weir.address('grpc'));
    onTestFinished(() => client.close());
    const entries = [{ key: 'remote_address', value: '192.0.2.1' }];
    const answer = await client.call(shouldRateLimit, { domain: 'example', descriptors: [{ entries }] });
    expect(answer).toMatchObject({ response: { overallCode: 'OK', statuses: [{ limitRemaining: 99 }] } });
  });

  it('answers the probes of the kubelet', async () => {
    const { weir, container } = await startPod({ values: {} });
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const probe of [startupProbe, livenessProbe, readinessProbe])
      expect(await ask(weir, probe)).toBe(true);
    expect(readinessProbe?.grpc?.port).toBe(8081);
  });

  it('takes a change of the ConfigMap without a restart', async () => {
    const { weir, mounts } = await startPod({ values: { config: { rules: rulesOf(5) } } });
    expect(await askOnce(weir)).toMatchObject({ currentLimit: { requestsPerUnit: 5 }, limitRemaining: 4 });
    await mounts.volume('weir-rules').publish(rulesOf(9));
    await waitUntil('the new limit', async () => {
      const status = (await askOnce(weir)) as { currentLimit?: { requestsPerUnit: number } };
      return status.currentLimit?.requestsPerUnit === 9;
    });
    expect(weir.exit).toBeUndefined();
  });

  it('takes the rules of a ConfigMap that is there already', async () => {
    const values = { config: { existingConfigMap: 'team-rules' } };
    const { weir } = await startPod({ values }, { data: { 'team-rules': rulesOf(7) } });
    expect(await askOnce(weir)).toMatchObject({ currentLimit: { requestsPerUnit: 7 } });
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
    const { weir } = await startPod({ values }, { data: { redis: secret, 'redis-tls': certificates } });
    expect(await askOnce(weir)).toMatchObject({ limitRemaining: 4 });
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
    const { weir, container } = await startPod(
      { values },
      { data: { 'weir-tls': pair, callers: { 'bundle.pem': ca } } },
    );
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
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(await ask(weir, container.readinessProbe)).toBe(true);
  });
});
