import { onTestFinished } from 'vitest';
import type { HttpDocumentOptions } from '../../../src/config/http/http-document.ts';
import { createHttpSource } from '../../../src/config/http/http-source.ts';
import type { RemoteSourceEvent } from '../../../src/config/remote/remote-source.ts';
import type { RetryDelayOptions } from '../../../src/config/retry-delay.ts';
import { type DocumentServer, startDocumentServer } from '../../support/document-server.ts';
import { promptly } from './rules-files.ts';

/** Runs to the end of the test. @param port a free one unless given */
export async function startServer(port?: number): Promise<DocumentServer> {
  const server = await startDocumentServer(port === undefined ? {} : { port });
  onTestFinished(() => server.stop());
  return server;
}

export interface Asked extends Partial<HttpDocumentOptions> {
  readonly urls: readonly string[];
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly retry?: RetryDelayOptions;
}

/** A source of URLs that are asked every 20 ms, and what it tells. */
export function httpSource({
  urls,
  timeoutMs = 5_000,
  maxBytes = 1_000_000,
  checksum = { kind: 'none' },
  retry = promptly,
}: Asked) {
  const events: RemoteSourceEvent[] = [];
  const source = createHttpSource({
    urls: urls.map((url) => new URL(url)),
    pollIntervalMs: 20,
    retry,
    request: () => ({ headers: { authorization: 'Bearer t' }, tls: undefined, timeoutMs, maxBytes }),
    checksum,
    onEvent: (event) => events.push(event),
  });
  return { source, events };
}
