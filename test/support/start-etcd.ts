import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-port.ts';
import { httpCall } from './http-call.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { requireTool } from './tools.ts';
import { waitUntil } from './wait-until.ts';

/** An etcd of one member, in a process of its own. */
export interface EtcdServer extends TestProcess {
  /** `host:port`, without TLS. */
  readonly address: string;
  readonly port: number;
  /** `host:port` with TLS; empty where none was asked for. */
  readonly secureAddress: string;
  /** Changes keys in one transaction: a text, or undefined for a key that is to be gone. Gives the revision. */
  put(keys: Readonly<Record<string, string | undefined>>): Promise<number>;
  /** Forgets what was before a revision. */
  compact(revision: number): Promise<void>;
  /** Has everybody log in from now on; `reader` with this password may read what begins with a prefix. */
  enableAuth(reader: {
    readonly name: string;
    readonly password: string;
    readonly prefix: string;
  }): Promise<void>;
}

export interface EtcdOptions {
  /** Of 127.0.0.1; a free one unless given. */
  readonly port?: number;
  /** Clients must show a certificate of `clientCaFile`, where given. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string; readonly clientCaFile?: string };
}

export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdServer> {
  const { tls } = options;
  const [port, securePort, peerPort] = (await freePorts(3)) as [number, number, number];
  const clientPort = options.port ?? port;
  const folder = mkdtempSync(join(tmpdir(), 'weir-etcd-'));
  const urls = [
    `http://127.0.0.1:${clientPort}`,
    ...(tls === undefined ? [] : [`https://127.0.0.1:${securePort}`]),
  ].join();
  const peer = `http://127.0.0.1:${peerPort}`;
  const child = await startProcess(requireTool('etcd'), [
    ...['--data-dir', folder, '--listen-client-urls', urls, '--advertise-client-urls', urls],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
    ...(tls === undefined ? [] : ['--cert-file', tls.certFile, '--key-file', tls.keyFile]),
    ...(tls?.clientCaFile === undefined ? [] : ['--client-cert-auth', '--trusted-ca-file', tls.clientCaFile]),
  ]);
  void child.ended.then(() => rmSync(folder, { recursive: true, force: true }));
  const address = `127.0.0.1:${clientPort}`;
  await waitUntil('etcd', async () => (await httpCall({ address, path: '/health' })).body.includes('"true"'));
  return Object.assign(Object.create(child) as TestProcess, {
    address,
    port: clientPort,
    secureAddress: tls === undefined ? '' : `127.0.0.1:${securePort}`,
    ...gatewayOf(address),
  });
}

/** What tests do to it, by its gateway from JSON to gRPC. */
function gatewayOf(address: string): Pick<EtcdServer, 'put' | 'compact' | 'enableAuth'> {
  let token: string | undefined;

  async function post(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = token === undefined ? {} : { authorization: token };
    const answer = await httpCall({
      address,
      path: `/v3/${path}`,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.body}`);
    return JSON.parse(answer.body) as Record<string, unknown>;
  }

  async function put(keys: Readonly<Record<string, string | undefined>>): Promise<number> {
    const success = Object.entries(keys).map(([key, value]) =>
      value === undefined
        ? { requestDeleteRange: { key: base64(key) } }
        : { requestPut: { key: base64(key), value: base64(value) } },
    );
    const { header } = await post('kv/txn', { success });
    return Number((header as { revision: string }).revision);
  }

  async function enableAuth(reader: { name: string; password: string; prefix: string }): Promise<void> {
    const { name, password, prefix } = reader;
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
    await post('auth/role/add', { name: 'root' });
    await post('auth/user/add', { name: 'root', password: 'root' });
    await post('auth/user/grant', { user: 'root', role: 'root' });
    await post('auth/role/add', { name: 'rules' });
    const perm = { permType: 'READ', key: base64(prefix), range_end: base64(end) };
    await post('auth/role/grant', { name: 'rules', perm });
    await post('auth/user/add', { name, password });
    await post('auth/user/grant', { user: name, role: 'rules' });
    await post('auth/enable', {});
    ({ token } = (await post('auth/authenticate', { name: 'root', password: 'root' })) as { token: string });
  }

  return {
    put,
    compact: async (revision) => void (await post('kv/compaction', { revision, physical: true })),
    enableAuth,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
