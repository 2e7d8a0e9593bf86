import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Decider } from '../../../src/server/decider.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { createGrpcClient, type GrpcClient, shouldRateLimit } from '../../support/grpc-client.ts';
import { limiterFixture } from '../../support/limiter-fixture.ts';
import { type Authority, type CertificatePair, createAuthority } from './certificates.ts';
import { type GrpcEdge, startGrpcEdge } from './start-edges.ts';

const shop = 'spiffe://cluster/ns/shop';
const request = { domain: 'shop', descriptors: [{ entries: [{ key: 'ip', value: '1' }] }] };

let folder = '';
let authority: Authority;
let serverPair: CertificatePair;

/** A gRPC edge with TLS, which asks for certificates unless told otherwise. */
function startTlsEdge(decide?: Decider['decide'], asksForCertificates = true): Promise<GrpcEdge> {
  const clientCaFile = asksForCertificates ? authority.file : undefined;
  return startGrpcEdge(decide, { tls: { ...serverPair, clientCaFile, clientSan: undefined } });
}

function clientOf(edge: GrpcEdge, { keyFile, certFile }: CertificatePair): GrpcClient {
  const [ca, key, cert] = [authority.file, keyFile, certFile].map((file) => readFileSync(file));
  const channelCredentials = credentials.createSsl(ca, key, cert);
  const client = createGrpcClient(`localhost:${edge.server.port}`, { channelCredentials });
  onTestFinished(() => client.close());
  return client;
}

/** One call over a TLS session that may be of an earlier connection. */
async function callWithin(edge: GrpcEdge, pair: CertificatePair, options: tls.ConnectionOptions) {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: edge.server.port,
    servername: 'localhost',
    ca: readFileSync(authority.file),
    key: readFileSync(pair.keyFile),
    cert: readFileSync(pair.certFile),
    ALPNProtocols: ['h2'],
    ...options,
  });
  let session: Buffer | undefined;
  socket.on('session', (given) => {
    session = given;
  });
  const client = http2.connect('https://localhost', { createConnection: () => socket });
  await grpcCall(client);
  const isReused = socket.isSessionReused();
  await new Promise<void>((resolve) => client.close(resolve));
  return { session, isReused };
}

function grpcCall(client: http2.ClientHttp2Session): Promise<void> {
  const { path, requestSerialize } = shouldRateLimit;
  const message = requestSerialize(request);
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return new Promise((resolve, reject) => {
    const call = client.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', reject);
    call.on('end', resolve);
    call.resume();
    call.end(Buffer.concat([prefix, message]));
  });
}

describeWithTools(['openssl'], 'the names of a client', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-names-'));
    authority = createAuthority(join(folder, 'ca'));
    serverPair = authority.issue('server', 'DNS:localhost,IP:127.0.0.1');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['a URI', [`URI:${shop}`], [shop]],
    ['a DNS name, in lower case', ['DNS:Envoy.Edge.test'], ['envoy.edge.test']],
    [
      'several, and what is no name of a client',
      ['DNS:a.test', 'IP:127.0.0.1', 'email:a@b.c', `URI:${shop}`],
      ['a.test', shop],
    ],
    ['a comma in a DNS name makes no other', ['DNS:evil.test, DNS:good.test', 'DNS:a.test'], ['a.test']],
    ['a comma in a URI makes no other', [`URI:urn:a,URI:${shop}`], [`urn:a,URI:${shop}`]],
    ['a comma in another kind makes none', ['otherName:1.3.6.1.5.5.7.8.5;UTF8:x, DNS:good.test'], []],
    ['none, but for the common name', [], []],
  ])('%s', async (title, subjectAltName, names) => {
    const edge = await startTlsEdge();
    const pair = authority.issue(title.replaceAll(/\W/g, '-'), subjectAltName);
    const client = clientOf(edge, pair);
    for (let i = 0; i < 2; i++) {
      await expect(client.call(shouldRateLimit, request)).resolves.toHaveProperty('response');
    }
    expect(edge.requests.map(({ provenNames }) => provenNames)).toEqual([names, names]);
  });

  it('are those of its own connection', async () => {
    const edge = await startTlsEdge();
    const texts = ['urn:a', 'urn:b', 'urn:c'];
    const clients = texts.map((name) => clientOf(edge, authority.issue(name.slice(-1), [`URI:${name}`])));
    const calls = Array.from({ length: 20 }, () =>
      clients.map((client, index) => client.call(shouldRateLimit, { ...request, domain: texts[index] })),
    );
    await Promise.all(calls.flat());
    expect(edge.requests).toHaveLength(60);
    for (const { request: asked, provenNames } of edge.requests) expect(provenNames).toEqual([asked.domain]);
  });

  it('none where no authority for clients is set, whatever they show', async () => {
    const edge = await startTlsEdge(undefined, false);
    await clientOf(edge, authority.issue('unasked', [`URI:${shop}`])).call(shouldRateLimit, request);
    expect(edge.requests).toMatchObject([{ provenNames: [] }]);
  });

  it('none without TLS', async () => {
    const edge = await startGrpcEdge();
    const client = createGrpcClient(edge.address);
    onTestFinished(() => client.close());
    await client.call(shouldRateLimit, request);
    expect(edge.requests).toMatchObject([{ provenNames: [] }]);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'are there when a session of %s is resumed',
    async (maxVersion) => {
      const edge = await startTlsEdge();
      const pair = authority.issue(`resumed-${maxVersion}`, [`URI:${shop}`]);
      const { session } = await callWithin(edge, pair, { maxVersion });
      const resumed = await callWithin(edge, pair, { maxVersion, ...(session && { session }) });
      expect(resumed.isReused).toBe(true);
      expect(edge.requests).toMatchObject([{ provenNames: [shop] }, { provenNames: [shop] }]);
    },
  );

  it('decide who may use a domain that has a list of them', async () => {
    const yaml = `domain: shop\nclients: [${shop}, pay.test]\ndescriptors:\n  - {key: ip, rate_limit: {unit: day, requests_per_unit: 9}}\n`;
    const edge = await startTlsEdge(limiterFixture({ yaml }).limiter.decide);
    const call = (name: string, names: string[]) =>
      clientOf(edge, authority.issue(name, names)).call(shouldRateLimit, request);
    const allowed = { response: { overallCode: 'OK', statuses: [{ code: 'OK' }] } };
    const denied = { status: 'PERMISSION_DENIED', message: 'this client may not use the domain' };
    await expect(call('by-uri', [`URI:${shop}`])).resolves.toMatchObject(allowed);
    await expect(call('by-dns', ['DNS:Pay.test'])).resolves.toMatchObject(allowed);
    await expect(call('by-other', ['URI:spiffe://cluster/ns/other'])).resolves.toEqual(denied);
    await expect(call('by-wildcard', ['DNS:*.test'])).resolves.toEqual(denied);
    await expect(call('by-comma', [`DNS:x, URI:${shop}, DNS:pay.test`])).resolves.toEqual(denied);
    await expect(call('by-common-name', [])).resolves.toEqual(denied);
    expect(edge.calls.map(({ code }) => code).slice(2)).toEqual(Array(4).fill('PERMISSION_DENIED'));
  });
});
