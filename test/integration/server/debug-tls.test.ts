import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { connectRaw } from '../../support/raw-connection.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Authority, createAuthority } from './certificates.ts';
import { type DebugEdge, debugToken, startDebugEdge } from './start-debug.ts';
import { createParts, httpOptions, neverAnswers } from './start-edges.ts';

interface Pair {
  readonly certFile: string;
  readonly keyFile: string;
}

let folder = '';
let authority: Authority;
let server: Pair;
let member: Pair;
let foreigner: Pair;

interface Answer {
  readonly status?: number | undefined;
  readonly serial?: string;
  readonly error?: string;
}

/** GET /rlconfig on a connection of its own. */
function get(edge: DebugEdge, client?: Pair, headers: Record<string, string> = {}): Promise<Answer> {
  return send(edge, { path: '/rlconfig', headers }, client);
}

function send({ port }: DebugEdge, asked: RequestOptions, client?: Pair, body?: string): Promise<Answer> {
  return new Promise((resolve) => {
    const call = request({
      host: '127.0.0.1',
      port,
      agent: false,
      ca: readFileSync(authority.file),
      ...asked,
      ...(client && { cert: readFileSync(client.certFile), key: readFileSync(client.keyFile) }),
    });
    let serial = '';
    call.on('socket', (socket) =>
      socket.once('secureConnect', () => {
        serial = (socket as import('node:tls').TLSSocket).getPeerCertificate().serialNumber;
      }),
    );
    call.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode, serial });
    });
    call.on('error', (err: NodeJS.ErrnoException) => resolve({ error: err.code ?? err.message }));
    call.end(body);
  });
}

/** With these files, looked at every 20 ms. */
function startTls(clientCaFile: string | undefined, pair = server, token?: string): Promise<DebugEdge> {
  const tls = { files: { ...pair, clientCaFile }, reloadIntervalMs: 20 };
  return startDebugEdge(token === undefined ? { tls } : { tls, token });
}

describeWithTools(['openssl'], 'the debug listener over TLS', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-debug-tls-'));
    authority = createAuthority(join(folder, 'ca'));
    server = authority.issue('server', 'DNS:localhost,IP:127.0.0.1');
    member = authority.issue('member', 'DNS:operator.test');
    foreigner = createAuthority(join(folder, 'other-ca')).issue('foreigner', 'DNS:operator.test');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('answers a client that trusts its authority', async () => {
    const edge = await startTls(undefined);
    await expect(get(edge)).resolves.toMatchObject({ status: 200 });
  });

  it('X06: with an authority for clients, only those that it signed get in, and the log says who', async () => {
    const edge = await startTls(authority.file);
    await expect(get(edge)).resolves.toHaveProperty('error');
    await expect(get(edge, foreigner)).resolves.toHaveProperty('error');
    await expect(get(edge, member)).resolves.toMatchObject({ status: 200 });
    expect(edge.lines).toMatchObject([
      { '@message': 'refused a connection', reason: expect.stringContaining('did not return a certificate') },
      { '@message': 'refused a connection', reason: expect.stringMatching(/certificate/) },
      { '@message': 'a debug page was read', page: '/rlconfig', peer: '127.0.0.1', client: 'CN=localhost' },
    ]);
  });

  it('shows counters to who has a certificate, and to nobody where none is asked for', async () => {
    const counters = { method: 'POST', path: '/counters/get' };
    const body = '{"domain":"shop","descriptor":{"entries":[{"key":"k"}]}}';
    const [known, open] = [await startTls(authority.file), await startTls(undefined)];
    await expect(send(known, counters, member, body)).resolves.toMatchObject({ status: 200 });
    await expect(send(open, counters, member, body)).resolves.toMatchObject({ status: 403 });
    const fromPage = { ...counters, headers: { origin: 'https://evil.example' } };
    await expect(send(known, fromPage, member, body)).resolves.toMatchObject({ status: 403 });
  });

  it('X06: where both are asked for, both are needed', async () => {
    const edge = await startTls(authority.file, server, debugToken);
    const headers = { authorization: `Bearer ${debugToken}` };
    await expect(get(edge, undefined, headers)).resolves.toHaveProperty('error');
    await expect(get(edge, member)).resolves.toMatchObject({ status: 401 });
    await expect(get(edge, member, headers)).resolves.toMatchObject({ status: 200 });
  });

  it('a certificate that is renewed is used without a restart, and a token goes on to be asked for', async () => {
    const pair = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') };
    const place = (from: Pair) => {
      copyFileSync(from.certFile, pair.certFile);
      copyFileSync(from.keyFile, pair.keyFile);
    };
    place(server);
    const edge = await startTls(undefined, pair, debugToken);
    const { serial } = await get(edge);
    place(authority.issue('renewed', 'DNS:localhost,IP:127.0.0.1'));
    await waitUntil('the new certificate', async () => (await get(edge)).serial !== serial);
    await expect(get(edge)).resolves.toMatchObject({ status: 401 });
  });

  it('another authority for clients is used without a restart, and those of the old one stay out', async () => {
    const caFile = join(folder, 'client-ca.crt');
    copyFileSync(authority.file, caFile);
    const edge = await startTls(caFile);
    await expect(get(edge, member)).resolves.toMatchObject({ status: 200 });
    copyFileSync(join(folder, 'other-ca/ca.crt'), caFile);
    await waitUntil('the newcomer to get in', async () => (await get(edge, foreigner)).status === 200);
    await expect(get(edge, member)).resolves.toHaveProperty('error');
  });

  it('a client that does not speak does not hold up the end', async () => {
    const edge = await startTls(undefined);
    const connection = await connectRaw(edge.address);
    connection.socket.write('\x16\x03\x01', 'latin1');
    await expect(get(edge)).resolves.toMatchObject({ status: 200 });
    await edge.stop(50);
    await connection.untilClosed();
  });

  it('a handshake that comes octet by octet is given up, and nothing is sent in clear text', async () => {
    const tls = { files: { ...server, clientCaFile: undefined }, reloadIntervalMs: 20 };
    const edge = await startDebugEdge({
      tls,
      limits: { ...httpOptions(createParts(neverAnswers)).limits, handshakeTimeoutMs: 100 },
    });
    const connection = await connectRaw(edge.address);
    connection.socket.write('\x16\x03\x01\x02\x00\x01', 'latin1');
    expect(await connection.dripUntilClosed('\x00')).toBe('');
  });

  it.each([
    ['no certificate', { certFile: '/dev/null' }, 'holds no certificate'],
    ['no such file', { keyFile: '/no/such/file' }, 'ENOENT'],
  ])('%s: there is no start, and a sentence', async (_what, parts, sentence) => {
    await expect(startTls(undefined, { ...server, ...parts })).rejects.toThrow(sentence);
  });
});
