import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { createGrpcClient, type GrpcAnswer, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { type Authority, type CertificatePair, createAuthority } from '../server/certificates.ts';
import { callWeir, requestOf } from './call-weir.ts';

const shop = 'spiffe://cluster/ns/shop';
const rules = {
  'shop.yaml': `domain: shop\nclients: [${shop}]\ndescriptors:\n  - {key: ip, rate_limit: {unit: day, requests_per_unit: 9}}\n`,
};
const ok = { response: { overallCode: 'OK' } };
const denied = { status: 'PERMISSION_DENIED', message: 'this client may not use the domain' };
const nobody = /^nobody can use domains with 'clients'/;

let folder = '';
let authority: Authority;
let serverPair: CertificatePair;

async function start(env: Readonly<Record<string, string>>): Promise<RunningWeir> {
  const weir = await startWeir({ rules, env: { BACKEND_TYPE: 'memory', ...env } });
  onTestFinished(async () => void (await weir.stop()));
  return weir;
}

const tlsSettings = () => ({
  GRPC_SERVER_USE_TLS: 'true',
  GRPC_SERVER_TLS_CERT: serverPair.certFile,
  GRPC_SERVER_TLS_KEY: serverPair.keyFile,
});

async function callOverTls(weir: RunningWeir, { keyFile, certFile }: CertificatePair): Promise<GrpcAnswer> {
  const [ca, key, cert] = [authority.file, keyFile, certFile].map((file) => readFileSync(file));
  const client = createGrpcClient(weir.address('grpc').replace('127.0.0.1', 'localhost'), {
    channelCredentials: credentials.createSsl(ca, key, cert),
  });
  onTestFinished(() => client.close());
  return client.call(shouldRateLimit, requestOf('ip=a'));
}

function postJson(weir: RunningWeir, request: object) {
  const body = JSON.stringify(request);
  return httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
}

const messages = (weir: RunningWeir) => weir.log().map((line) => String(line['@message']));

describeWithTools(['openssl'], 'a domain with a list of clients', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-clients-'));
    authority = createAuthority(join(folder, 'ca'));
    serverPair = authority.issue('server', 'DNS:localhost,IP:127.0.0.1');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['native', 'grpc-js'])('is for callers who prove such a name, on %s', async (transport) => {
    const weir = await start({
      ...tlsSettings(),
      GRPC_TRANSPORT: transport,
      GRPC_CLIENT_TLS_CACERT: authority.file,
    });
    const [friend, stranger] = [`URI:${shop}`, 'DNS:stranger.test'].map((name) =>
      authority.issue(`${transport}-${name.slice(0, 3)}`, [name]),
    ) as [CertificatePair, CertificatePair];
    expect(await callOverTls(weir, friend)).toMatchObject(ok);
    expect(await callOverTls(weir, stranger)).toEqual(denied);
    expect(await callOverTls(weir, stranger)).toEqual(denied);
    expect(weir.log().filter(({ clientNames }) => clientNames !== undefined)).toMatchObject([
      { level: 'warning', domain: 'shop', clientNames: ['stranger.test'], suppressed: 0 },
    ]);
    expect(messages(weir)).not.toContainEqual(expect.stringMatching(nobody));
    const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
    expect(body).toContain('weir_failures_total{code="PERMISSION_DENIED"} 2\n');
  });

  it('is closed to /json: 403, and nothing is counted', async () => {
    const weir = await start({ ...tlsSettings(), GRPC_CLIENT_TLS_CACERT: authority.file });
    expect(await postJson(weir, requestOf('ip=a'))).toMatchObject({
      status: 403,
      body: 'this client may not use the domain\n',
    });
    expect((await postJson(weir, { ...requestOf('ip=a'), domain: 'other' })).status).toBe(200);
    const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
    expect(body).toContain(
      'weir_calls_total{protocol="http",method="ShouldRateLimit",code="PERMISSION_DENIED"} 1',
    );
  });

  it.each([
    ['without TLS', () => ({})],
    ['without GRPC_CLIENT_TLS_CACERT', tlsSettings],
  ])('is closed to all %s, of which the log warns at the start', async (_, env) => {
    const weir = await start(env());
    expect(weir.log()).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        '@message': expect.stringMatching(nobody),
        domains: ['shop'],
      }),
    );
    const isPlain = Object.keys(env()).length === 0;
    const answer = isPlain
      ? callWeir(weir, 'ip=a')
      : callOverTls(weir, authority.issue('unasked', [`URI:${shop}`]));
    expect(await answer).toEqual(denied);
  });
});
