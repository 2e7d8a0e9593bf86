import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { readTlsFiles, type TlsFileOptions } from './tls-files.ts';

/** The answer of `/counters/...`, as `src/server/http/counters-json.ts` writes it. */
export interface CountersAnswer {
  readonly domain: string;
  readonly found: string;
  readonly rule?: string;
  readonly counters: readonly {
    readonly limit: string;
    readonly key: string;
    readonly before?: number;
    readonly used?: number;
    readonly remaining?: number;
    readonly seconds_until_reset?: number;
    readonly error?: { readonly kind: string; readonly message: string };
  }[];
}

export interface CountersCall extends TlsFileOptions {
  readonly address: string;
  readonly operation: 'get' | 'reset' | 'grant';
  readonly body: string;
  readonly token: string | undefined;
  /** In ms. */
  readonly timeout: number;
  readonly serverName?: string;
}

/** Asks the debug listener. Rejects with a sentence where there is no answer, and with the service's where it refuses. */
export async function postCounters(call: CountersCall): Promise<CountersAnswer> {
  const { status, type, text } = await send(call);
  // With 503 and JSON some of the counters could not be reached.
  if (type.startsWith('application/json') && (status === 200 || status === 503)) return JSON.parse(text);
  throw new Error(`${status} ${text.trim()}`);
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function send(call: CountersCall): Promise<Answered> {
  const { address, operation, body, token, timeout } = call;
  const url = urlOf(address, operation);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = {
    method: 'POST',
    agent: false,
    signal: AbortSignal.timeout(timeout),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(call.serverName !== undefined && { servername: call.serverName }),
    ...readTlsFiles(call),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (response) => read(response).then(resolve, reject));
    asked.on('error', (error) => {
      reject(error.name === 'AbortError' ? new Error(`no answer within ${timeout} ms`) : error);
    });
    asked.end(body);
  });
}

function urlOf(address: string, operation: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/') {
    throw new Error('an address is http://HOST:PORT or https://HOST:PORT');
  }
  return new URL(`/counters/${operation}`, url);
}

async function read(response: IncomingMessage): Promise<Answered> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString(),
  };
}
