import { createHash } from 'node:crypto';
import type { ConfigSource, SnapshotContent } from '../config-source.ts';
import { contentsVersion } from '../contents-version.ts';
import { hashInTurns } from '../hash-in-turns.ts';
import type { Contents } from '../read-contents.ts';
import { pause } from '../remote/pause.ts';
import type { RemoteOrigin } from '../remote/remote-origin.ts';
import { createRemoteSource, type RemoteSourceOptions } from '../remote/remote-source.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';
import { jittered } from '../retry-delay.ts';
import { createHttpDocument, type HttpDocument, type HttpDocumentOptions } from './http-document.ts';

export interface HttpSourceOptions extends RemoteSourceOptions, HttpDocumentOptions {
  /** Each is a file; all differ in more than their query. */
  readonly urls: readonly URL[];
  /** Time between two looks, in ms. It is off by up to a tenth at random. */
  readonly pollIntervalMs: number;
}

const pollJitter = 0.1;

/**
 * Rules from URLs that are asked again and again. A URL that fails keeps what it last had, and does not hold back the others;
 * before the first answer of each there is nothing to deliver, since its domains would be without limits. What was kept of it
 * over a restart stands for an answer.
 */
export function createHttpSource(options: HttpSourceOptions): ConfigSource {
  const documents = options.urls.map((url) => createHttpDocument(url, options));
  documents.sort((a, b) => (a.name < b.name ? -1 : 1));

  const untilNextMs = () => jittered(options.pollIntervalMs, { jitter: pollJitter });

  const origin: RemoteOrigin = {
    restored: (content) => restore(documents, content),
    async read(signal) {
      const outcomes = await Promise.allSettled(documents.map((one) => one.refresh(signal)));
      const failures = outcomes.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [failureOf(outcome.reason, documents[index] as HttpDocument)] : [],
      );
      const reason = failures.join('; ');
      const hasNews = failures.length < documents.length;
      if (!hasNews || documents.some((one) => one.content() === undefined))
        throw new SourceUnavailable(reason);
      // What is well is not to wait for what is away.
      const failure = failures.length === 0 ? undefined : new SourceUnavailable(reason, untilNextMs());
      return { contents: contentsOf(documents), failure };
    },
    async untilNews(signal) {
      await pause(untilNextMs(), signal);
    },
    disconnect() {},
  };
  return createRemoteSource(origin, options);
}

/** A document that nothing was kept of had nothing in force. */
async function restore(documents: readonly HttpDocument[], content: SnapshotContent): Promise<void> {
  if (content.kind !== 'files') return;
  const kept = new Map(content.files.map(({ file, bytes }) => [file, bytes]));
  for (const one of documents) {
    const bytes = kept.get(one.name)?.slice();
    if (bytes === undefined) {
      one.restore({ kind: 'none' });
      continue;
    }
    const hash = createHash('sha256');
    await hashInTurns(hash, bytes);
    one.restore({ kind: 'content', bytes, digest: hash.digest('hex') });
  }
}

function contentsOf(documents: readonly HttpDocument[]): Contents {
  const files = documents.flatMap((one) => {
    const content = one.content();
    // A copy: this one is needed again when another document changes.
    return content?.kind === 'content' ? [{ ...content, file: one.name, bytes: content.bytes.slice() }] : [];
  });
  const version = contentsVersion(files.map(({ file, digest }) => [file, digest]));
  return { version, files, issues: [] };
}

function failureOf(error: unknown, { name }: HttpDocument): string {
  if (error instanceof SourceUnavailable) return `${name}: ${error.message}`;
  throw error;
}
