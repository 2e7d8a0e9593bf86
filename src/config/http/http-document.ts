import { type HttpAnswer, type HttpGet, httpGet, unexpectedStatus } from '../remote/http-get.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';
import { type Checksum, statedDigest } from './checksum.ts';

/** One file, at one URL. */
export interface HttpDocument {
  /** The URL without its query, which may hold a signature. */
  readonly name: string;
  /** Asks whether it has changed, and takes it when it has. Throws {@link SourceUnavailable}. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Gives it the state that was kept of it. */
  restore(content: HttpContent): void;
  /** As it was last taken or restored; undefined before the first time. */
  content(): HttpContent | undefined;
}

export type HttpContent =
  | { readonly kind: 'content'; readonly bytes: Uint8Array<ArrayBuffer>; readonly digest: string }
  /** The server says that there is nothing, and means it. */
  | { readonly kind: 'none' };

export interface HttpDocumentOptions {
  /** Asked for each request: tokens and certificates are renewed. */
  readonly request: () => Omit<HttpGet, 'url'>;
  readonly checksum: Checksum;
}

export function createHttpDocument(url: URL, { request, checksum }: HttpDocumentOptions): HttpDocument {
  const name = documentName(url);
  let content: HttpContent | undefined;
  /** What the server is to compare with (RFC 9110, section 13.1). */
  let condition: Record<string, string> = {};

  async function refresh(signal: AbortSignal): Promise<void> {
    const common = request();
    const answer = await httpGet({ ...common, url, headers: { ...common.headers, ...condition } }, signal);
    if (answer.status === 304 && Object.keys(condition).length > 0) return;
    if (answer.status === 204 || answer.status === 410) {
      content = { kind: 'none' };
      condition = {};
      return;
    }
    // 404, too: a slip in a deployment must not be the end of all limits.
    if (answer.status !== 200) throw unexpectedStatus(answer.status);
    const stated = await statedDigest(
      checksum,
      answer,
      (side) => httpGet({ ...common, url: side }, signal),
      url,
    );
    if (stated !== undefined && stated !== answer.digest) {
      throw new SourceUnavailable('the content has another SHA-256 than is said');
    }
    content = { kind: 'content', bytes: answer.body, digest: answer.digest };
    condition = conditionOf(answer);
  }

  return {
    name,
    refresh,
    restore(kept) {
      content = kept;
    },
    content: () => content,
  };
}

/** How a URL is called in messages and logs. */
export function documentName(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** A server that knows both compares the tag alone. */
function conditionOf({
  headers: { etag, 'last-modified': lastModified },
}: HttpAnswer): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}
