import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface ConsulRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly token: string | undefined;
}

/**
 * A Consul of the test's own: keys and values with blocking queries, by the rules of its documentation. Consul itself cannot
 * be had from where the other tools come.
 */
export interface FakeConsul {
  readonly address: string;
  readonly port: number;
  readonly requests: readonly ConsulRequest[];
  /** Changes keys at once: a text, or undefined for a key that is to be gone. */
  put(keys: Readonly<Record<string, string | undefined>>): void;
  /** Begins to count from here, as one that was restored does. */
  restoreTo(index: number): void;
  /** What tokens may read: all keys with these beginnings. Others are refused (403). */
  allow(token: string, prefixes: readonly string[]): void;
  /** Has everything be answered by this instead; undefined: as before. */
  answerWith(answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined): void;
  stop(): Promise<void>;
}

interface Entry {
  readonly value: string;
  readonly modifyIndex: number;
}

/** @param port a free one unless given */
export async function startFakeConsul(port = 0): Promise<FakeConsul> {
  const keys = new Map<string, Entry>();
  const policies = new Map<string, readonly string[]>();
  const requests: ConsulRequest[] = [];
  const waiting = new Set<() => void>();
  let index = 10;
  let instead: Parameters<FakeConsul['answerWith']>[0];

  function change(): void {
    for (const wake of [...waiting]) wake();
  }

  /** Of a prefix: what was changed last below it. A deletion counts too, so this goes up with each change of anything. */
  async function untilLater(wanted: number, waitMs: number): Promise<void> {
    if (index > wanted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      waiting.add(wake);
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://consul');
    const query = Object.fromEntries(url.searchParams);
    const token = request.headers['x-consul-token'] as string | undefined;
    requests.push({ path: url.pathname, query, token });
    if (instead !== undefined) return instead(request, response);
    const policy = policies.get(token ?? '');
    if (policies.size > 0 && policy === undefined) return void response.writeHead(403).end('ACL not found');
    if (Number(query['index']) > 0)
      await untilLater(Number(query['index']), Number.parseInt(query['wait'] ?? '0', 10));
    const prefix = decodeURIComponent(url.pathname.replace('/v1/kv/', ''));
    const below = [...keys].filter(([key]) => key.startsWith(prefix)).sort();
    const readable = below.filter(
      ([key]) => policy === undefined || policy.some((one) => key.startsWith(one)),
    );
    response.setHeader('X-Consul-Index', index);
    if (policies.size > 0) {
      response.setHeader('X-Consul-Results-Filtered-By-ACLs', String(readable.length < below.length));
    }
    if (readable.length === 0) return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(readable.map(entryOf)));
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    address: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    put(changed) {
      index += 1;
      for (const [key, value] of Object.entries(changed)) {
        if (value === undefined) keys.delete(key);
        else keys.set(key, { value, modifyIndex: index });
      }
      change();
    },
    restoreTo(at) {
      index = at;
      change();
    },
    allow: (token, prefixes) => void policies.set(token, prefixes),
    answerWith(given) {
      instead = given;
      change();
    },
    async stop() {
      server.closeAllConnections();
      change();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function entryOf([key, { value, modifyIndex }]: [string, Entry]) {
  const encoded = value === '' ? null : Buffer.from(value).toString('base64');
  return {
    LockIndex: 0,
    Key: key,
    Flags: 0,
    Value: encoded,
    CreateIndex: modifyIndex,
    ModifyIndex: modifyIndex,
  };
}
