import type { ConfigSource } from '../../config/config-source.ts';
import type { HttpDocumentOptions } from '../../config/http/http-document.ts';
import { createHttpSource } from '../../config/http/http-source.ts';
import { maxFileBytes } from '../../rules/yaml/yaml-text.ts';
import type { HttpSourceSettings } from '../../settings/source-settings.ts';
import { currentSecret, currentTls, remoteOptions } from './remote-parts.ts';
import type { RemoteContext } from './source-context.ts';

/** Rules from URLs. Throws, with a sentence, when a file of its secrets can't be read. */
export function httpSource(settings: HttpSourceSettings, context: RemoteContext): ConfigSource {
  const { urls, pollIntervalMs, checksum } = settings;
  return createHttpSource({
    ...remoteOptions('http', context),
    urls: urls.map((url) => new URL(url.reveal())),
    pollIntervalMs,
    checksum,
    request: requestOf(settings, context),
  });
}

function requestOf(settings: HttpSourceSettings, context: RemoteContext): HttpDocumentOptions['request'] {
  const token = currentSecret(settings.token, 'CONFIG_HTTP_TOKEN_FILE', context);
  const tls = currentTls(settings.tls, 'CONFIG_HTTP_TLS_', context);
  const headers = Object.fromEntries(settings.headers.map(([name, value]) => [name, value.reveal()]));
  return () => {
    const bearer = token();
    return {
      headers: bearer === undefined ? headers : { ...headers, authorization: `Bearer ${bearer}` },
      tls: tls(),
      timeoutMs: context.remote.timeoutMs,
      maxBytes: maxFileBytes,
    };
  };
}
