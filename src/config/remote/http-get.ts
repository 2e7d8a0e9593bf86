import { createHash } from 'node:crypto';
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plain,
} from 'node:http';
import { request as secure } from 'node:https';
import type { ChannelTls } from '../../grpc-client/client-channel.ts';
import { SourceUnavailable } from './source-unavailable.ts';

export interface HttpGet {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** For `https:`; undefined: the well-known authorities. */
  readonly tls: Omit<ChannelTls, 'serverName'> | undefined;
  /** From the name to the last octet, in ms. */
  readonly timeoutMs: number;
  /** Largest body that is taken. */
  readonly maxBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty unless the status is 200. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the body, in hexadecimal. */
  readonly digest: string;
}

/**
 * One GET on a connection of its own, so that a new certificate counts with the next. Redirects are not followed: a token
 * would go where nobody meant it to. Throws {@link SourceUnavailable} where there is no whole answer.
 */
export async function httpGet(get: HttpGet, signal: AbortSignal): Promise<HttpAnswer> {
  const late = AbortSignal.timeout(get.timeoutMs);
  try {
    const request = open(get, AbortSignal.any([late, signal]));
    request.end();
    const response = await responseTo(request);
    try {
      return await read(response, get.maxBytes);
    } finally {
      response.destroy();
    }
  } catch (error) {
    if (error instanceof SourceUnavailable) throw error;
    if (late.aborted) throw new SourceUnavailable(`no whole answer within ${get.timeoutMs / 1_000} s`);
    throw new SourceUnavailable(reasonOf(error));
  }
}

function open({ url, headers, tls }: HttpGet, signal: AbortSignal): ClientRequest {
  // Nothing is unpacked, so that a small answer stays small.
  const all = { 'accept-encoding': 'identity', 'user-agent': 'weir', ...headers };
  const options = { agent: false, headers: all, signal } as const;
  return url.protocol === 'https:' ? secure(url, { ...options, ...tls }) : plain(url, options);
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // It stays: what breaks later is thrown to whoever reads the body.
    request.on('error', reject);
    request.once('response', resolve);
  });
}

/** Hashed piece by piece as it comes, so that a large body never holds the event loop. */
async function read(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  let length = 0;
  if (status === 200) {
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') throw new SourceUnavailable(`the answer is packed (${encoding})`);
    for await (const piece of response as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw new SourceUnavailable(`the answer has more than ${maxBytes} bytes`);
      hash.update(piece);
      pieces.push(piece);
    }
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { status, headers, body, digest: hash.digest('hex') };
}

/** Where several addresses were tried, the message is empty. */
function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return message === '' ? code : message;
}

/** What a status that is no answer means. */
export function unexpectedStatus(status: number): SourceUnavailable {
  return new SourceUnavailable(`HTTP status ${status}${meaningOf(status)}`);
}

function meaningOf(status: number): string {
  if (status === 304) return ', though it was asked for whatever there is';
  return status >= 300 && status < 400 ? '; redirects are not followed' : '';
}
