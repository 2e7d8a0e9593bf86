import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type ConnectionOptions } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { ListenerTls } from '../../../src/server/socket-listener.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { createGrpcClient, type GrpcAnswer, shouldRateLimit } from '../../support/grpc-client.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Authority, createAuthority } from './certificates.ts';
import { type GrpcEdge, startGrpcEdge } from './start-edges.ts';

let folder = '';
let authority: Authority;
let serverPair: { certFile: string; keyFile: string };

const serverNames = 'DNS:localhost,IP:127.0.0.1';
const reloadMs = 20;
const answered = { response: { overallCode: 'OK' } };
const noConnection = { status: 'UNAVAILABLE' };

function startTlsEdge(parts: Partial<ListenerTls> = {}): Promise<GrpcEdge> {
  return startGrpcEdge(undefined, {
    tls: { ...serverPair, clientCaFile: undefined, clientSan: undefined, ...parts },
    tlsReloadIntervalMs: reloadMs,
  });
}

/** A name is needed: TLS has no server name for an IP address. */
function nameOf(edge: GrpcEdge): string {
  return `localhost:${edge.server.port}`;
}

/** One call on a connection of its own. */
async function call(edge: GrpcEdge, pair?: { certFile: string; keyFile: string }): Promise<GrpcAnswer> {
  const channelCredentials = pair
    ? credentials.createSsl(
        readFileSync(authority.file),
        readFileSync(pair.keyFile),
        readFileSync(pair.certFile),
      )
    : credentials.createSsl(readFileSync(authority.file));
  const client = createGrpcClient(nameOf(edge), { channelCredentials });
  try {
    return await client.call(shouldRateLimit, { domain: 'd', descriptors: [{}] });
  } finally {
    client.close();
  }
}

/** The handshake of a client: what was agreed on, or why not. */
function handshake(
  edge: GrpcEdge,
  options: ConnectionOptions,
): Promise<{ protocol?: string | null; serial?: string; error?: string }> {
  return new Promise((resolve) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: edge.server.port,
      ca: readFileSync(authority.file),
      ALPNProtocols: ['h2'],
      ...options,
    });
    socket.once('secureConnect', () => {
      resolve({ protocol: socket.getProtocol(), serial: socket.getPeerCertificate().serialNumber });
      socket.destroy();
    });
    socket.once('error', (err: NodeJS.ErrnoException) => resolve({ error: err.code ?? err.message }));
  });
}

async function serialOf(edge: GrpcEdge): Promise<string | undefined> {
  return (await handshake(edge, {})).serial;
}

describeWithTools(['openssl'], 'gRPC over TLS', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-tls-'));
    authority = createAuthority(join(folder, 'ca'));
    serverPair = authority.issue('server', serverNames);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('answers a client that trusts its authority', async () => {
    await expect(call(await startTlsEdge())).resolves.toMatchObject(answered);
  });

  it.each([
    ['TLSv1.2', 'TLSv1.2'], // all that Envoy offers by default
    ['TLSv1.3', 'TLSv1.3'],
  ] as const)('a client that offers %s at most gets %s', async (maxVersion, protocol) => {
    await expect(handshake(await startTlsEdge(), { maxVersion })).resolves.toMatchObject({ protocol });
  });

  it('a client that offers less than TLS 1.2 gets nothing', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(handshake(await startTlsEdge(), old)).resolves.toHaveProperty('error');
  });

  it('a client without TLS, or that breaks off, harms nobody', async () => {
    const edge = await startTlsEdge();
    const client = createGrpcClient(edge.address, { timeoutMs: 20_000 });
    onTestFinished(() => client.close());
    await expect(client.call(shouldRateLimit, {})).resolves.toMatchObject(noConnection);
    for (let i = 0; i < 50; i++) {
      const socket = net.connect(edge.server.port, '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(Buffer.from([0x16, 0x03, 0x01]));
      socket.resetAndDestroy();
    }
    await expect(call(edge)).resolves.toMatchObject(answered);
  });
});

describeWithTools(['openssl'], 'mutual TLS', () => {
  let foreigner: { certFile: string; keyFile: string };
  let member: { certFile: string; keyFile: string };
  let wildcard: { certFile: string; keyFile: string };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-mtls-'));
    authority = createAuthority(join(folder, 'ca'));
    serverPair = authority.issue('server', serverNames);
    member = authority.issue('member', 'DNS:other.test,DNS:Envoy.Edge.test,IP:127.0.0.1');
    wildcard = authority.issue('wildcard', 'DNS:*.edge.test');
    foreigner = createAuthority(join(folder, 'other-ca')).issue('foreigner', 'DNS:envoy.edge.test');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('without a certificate, or with one of another authority, there is no connection, and the log says why', async () => {
    const edge = await startTlsEdge({ clientCaFile: authority.file });
    for (const pair of [undefined, foreigner, undefined, foreigner]) {
      await expect(call(edge, pair)).resolves.toMatchObject(noConnection);
    }
    await expect(call(edge, member)).resolves.toMatchObject(answered);
    expect(edge.requests).toHaveLength(1);
    // Each reason once: a client that is refused tries again and again.
    const line = { level: 'warning', '@message': 'refused a connection', suppressed: 0 };
    expect(edge.lines).toMatchObject([
      { ...line, peer: '127.0.0.1', reason: expect.stringContaining('did not return a certificate') },
      { ...line, reason: expect.stringMatching(/the client's certificate: \w/) },
    ]);
  });

  it('the log says so when a certificate is of another authority', async () => {
    const edge = await startTlsEdge({ clientCaFile: authority.file });
    await expect(call(edge, foreigner)).resolves.toMatchObject(noConnection);
    expect(edge.lines).toMatchObject([
      { '@message': 'refused a connection', reason: expect.stringMatching(/certificate/i) },
    ]);
  });

  it('GRPC_CLIENT_TLS_SAN: only a certificate that holds this DNS name gets in', async () => {
    const edge = await startTlsEdge({ clientCaFile: authority.file, clientSan: 'envoy.edge.test' });
    await expect(call(edge, member)).resolves.toMatchObject(answered);
    await expect(call(edge, serverPair)).resolves.toMatchObject(noConnection);
    await expect(call(edge, wildcard)).resolves.toMatchObject(answered);
    expect(edge.requests).toHaveLength(2);
    expect(edge.lines[0]).toMatchObject({
      reason: "the client's certificate does not hold the name envoy.edge.test",
    });
  });

  it('the common name is no DNS name', async () => {
    const edge = await startTlsEdge({ clientCaFile: authority.file, clientSan: 'localhost' });
    await expect(call(edge, member)).resolves.toMatchObject(noConnection);
    await expect(call(edge, serverPair)).resolves.toMatchObject(answered);
  });
});

describeWithTools(['openssl'], 'certificates that change', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-reload-'));
    authority = createAuthority(join(folder, 'ca'));
    serverPair = authority.issue('server', serverNames);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A pair in a folder of its own. */
  function place(name: string, pair: { certFile: string; keyFile: string }) {
    const place = join(folder, name);
    mkdirSync(place);
    const placed = { certFile: join(place, 'tls.crt'), keyFile: join(place, 'tls.key') };
    copyFileSync(pair.certFile, placed.certFile);
    copyFileSync(pair.keyFile, placed.keyFile);
    return placed;
  }

  it('files that are written anew are used for new connections, and old connections stay', async () => {
    const files = place('written', serverPair);
    const edge = await startTlsEdge(files);
    const client = createGrpcClient(nameOf(edge), {
      channelCredentials: credentials.createSsl(readFileSync(authority.file)),
    });
    onTestFinished(() => client.close());
    await expect(client.call(shouldRateLimit, {})).resolves.toMatchObject(answered);
    const before = await serialOf(edge);

    const next = authority.issue('next', serverNames);
    copyFileSync(next.keyFile, files.keyFile);
    copyFileSync(next.certFile, files.certFile);
    await waitUntil('the new certificate', async () => (await serialOf(edge)) !== before);
    await expect(client.call(shouldRateLimit, {})).resolves.toMatchObject(answered);
    await expect(call(edge)).resolves.toMatchObject(answered);
  });

  it("Kubernetes' swap of a symbolic link is seen", async () => {
    const mount = join(folder, 'mount');
    mkdirSync(mount);
    place('mount/v1', serverPair);
    place('mount/v2', authority.issue('swapped', serverNames));
    symlinkSync('v1', join(mount, '..data'));
    for (const file of ['tls.crt', 'tls.key']) symlinkSync(`..data/${file}`, join(mount, file));
    const edge = await startTlsEdge({ certFile: join(mount, 'tls.crt'), keyFile: join(mount, 'tls.key') });
    const before = await serialOf(edge);

    symlinkSync('v2', join(mount, '..data_tmp'));
    renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
    await waitUntil('the new certificate', async () => (await serialOf(edge)) !== before);
  });

  it('a bad pair is logged once and the good one stays in use, until there is another', async () => {
    const files = place('broken', serverPair);
    const edge = await startTlsEdge(files);
    const before = await serialOf(edge);
    const next = authority.issue('fixed', serverNames);

    copyFileSync(next.certFile, files.certFile); // with the old key
    const complaint = await waitUntil('a complaint', () => edge.lines.find(({ level }) => level === 'error'));
    expect(complaint).toMatchObject({
      '@message': 'certificates can not be used, those before stay in use',
      reason: expect.stringContaining(`${files.keyFile} is no key for the certificate in ${files.certFile}`),
    });
    await expect(serialOf(edge)).resolves.toBe(before);
    copyFileSync(next.keyFile, files.keyFile);
    await waitUntil('the new certificate', async () => (await serialOf(edge)) !== before);
    expect(edge.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('another authority for clients is used without a restart', async () => {
    const others = createAuthority(join(folder, 'others'));
    const newcomer = others.issue('newcomer', 'DNS:a.test');
    const caFile = join(folder, 'client-ca.crt');
    copyFileSync(authority.file, caFile);
    const edge = await startTlsEdge({ clientCaFile: caFile });
    await expect(call(edge, newcomer)).resolves.toMatchObject(noConnection);
    writeFileSync(caFile, Buffer.concat([readFileSync(authority.file), readFileSync(others.file)]));
    await waitUntil('the newcomer to get in', async () => 'response' in (await call(edge, newcomer)));
    await expect(call(edge, serverPair)).resolves.toMatchObject(answered);
  });

  it.each([
    ['no certificate', { certFile: '/dev/null' }, 'holds no certificate'],
    ['no such file', { keyFile: '/no/such/file' }, 'ENOENT'],
    ['no authority', { clientCaFile: '/dev/null' }, 'holds no certificate'],
  ])('%s at the start: there is no start, and a sentence', async (_what, parts, sentence) => {
    await expect(startTlsEdge(parts)).rejects.toThrow(sentence);
  });
});
