import type { ConfigSource } from '../config-source.ts';
import { contentsVersion } from '../contents-version.ts';
import { pause } from '../remote/pause.ts';
import type { Reading, RemoteOrigin } from '../remote/remote-origin.ts';
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
 * before the first answer of each there is nothing to deliver, since its domains would be without limits.
 */
export function createHttpSource(options: HttpSourceOptions): ConfigSource {
  const documents = options.urls.map((url) => createHttpDocument(url, options));
  documents.sort((a, b) => (a.name < b.name ? -1 : 1));

  const origin: RemoteOrigin = {
    async read(signal) {
      const outcomes = await Promise.allSettled(documents.map((one) => one.refresh(signal)));
      const failures = outcomes.flatMap((outcome, index) =>
        outcome.status === 'rejected' ? [failureOf(outcome.reason, documents[index] as HttpDocument)] : [],
      );
      return readingOf(documents, failures);
    },
    async untilNews(signal) {
      const milliseconds = jittered(options.pollIntervalMs, { jitter: pollJitter });
      await pause(milliseconds, signal);
    },
    disconnect() {},
  };
  return createRemoteSource(origin, options);
}

function readingOf(documents: readonly HttpDocument[], failures: readonly string[]): Reading {
  const failure = failures.length === 0 ? undefined : failures.join('; ');
  if (documents.some((one) => one.content() === undefined)) throw new SourceUnavailable(failure);
  const files = documents.flatMap((one) => {
    const content = one.content();
    // A copy: this one is needed again when another document changes.
    return content?.kind === 'content' ? [{ ...content, file: one.name, bytes: content.bytes.slice() }] : [];
  });
  const version = contentsVersion(files.map(({ file, digest }) => [file, digest]));
  return { contents: { version, files, issues: [] }, failure };
}

function failureOf(error: unknown, { name }: HttpDocument): string {
  if (error instanceof SourceUnavailable) return `${name}: ${error.message}`;
  throw error;
}
