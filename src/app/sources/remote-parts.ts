import type { RemoteSourceOptions } from '../../config/remote/remote-source.ts';
import type { SecretSource } from '../../settings/secret.ts';
import type { SourceKind, SourceTlsSettings } from '../../settings/source-settings.ts';
import { type ClientTls, readClientTls } from '../client-tls.ts';
import { readNamedFile, withoutLineEnd } from '../read-named-file.ts';
import { renewed } from '../renewed.ts';
import { createRemoteLog } from './remote-log.ts';
import type { RemoteContext } from './source-context.ts';

/** How far a try may be off at random, as a share of the time to it. */
const jitter = 0.5;

/** What every source has that is asked for files elsewhere. */
export function remoteOptions(source: SourceKind, context: RemoteContext): RemoteSourceOptions {
  const { metrics, remote, withContent } = context;
  const logEvent = createRemoteLog({ ...context, source });
  return {
    retry: { ...remote.backoff, jitter },
    withContent,
    onEvent(event) {
      // Whatever failed: what was connected is let go of, and it is read anew.
      metrics.onSourceEvent(source, event.kind === 'delivery-failed' ? { kind: 'disconnected' } : event);
      logEvent(event);
    },
  };
}

/** Certificates as they are now. Throws, with a sentence, when a file can't be read the first time. */
export function currentTls(
  settings: SourceTlsSettings,
  prefix: string,
  { log }: RemoteContext,
): () => ClientTls {
  const variables = { ca: `${prefix}CACERT`, cert: `${prefix}CLIENT_CERT`, key: `${prefix}CLIENT_KEY` };
  return renewed<ClientTls>((last) => readClientTls(settings, variables, last), `${prefix}*`, log);
}

/** A secret as it is now; undefined where there is none. @param variable names the file */
export function currentSecret(
  source: SecretSource | undefined,
  variable: string,
  { log }: RemoteContext,
): () => string | undefined {
  if (source === undefined) return () => undefined;
  if (source.kind === 'given') return () => source.text.reveal();
  return renewed(() => withoutLineEnd(readNamedFile(variable, source.file)), variable, log);
}
