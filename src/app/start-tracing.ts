import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../log.ts';
import type { NamedFile, OtlpSettings, TracingSettings } from '../settings/telemetry-settings.ts';
import type { OtlpReceiver } from '../telemetry/tracing/otlp-exporter.ts';
import type { Tracing } from '../telemetry/tracing/start-tracing.ts';
import { readNamedFile } from './read-named-file.ts';

/** Traces as the settings say; undefined where there are none, and then nothing of OpenTelemetry is loaded. */
export async function startTracing(
  settings: TracingSettings | undefined,
  context: { readonly clock: Clock; readonly log: Logger },
): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined;
  const receiver = receiverOf(settings.exporter);
  const tracing = await import('../telemetry/tracing/start-tracing.ts');
  return tracing.startTracing({ ...settings, receiver, ...context });
}

function receiverOf({ url, headers, tls, ...others }: OtlpSettings): OtlpReceiver {
  const read = (named: NamedFile | undefined) => named && readNamedFile(named.variable, named.file);
  return {
    ...others,
    url: url.reveal(),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value.reveal()])),
    tls: { ca: read(tls.ca), cert: read(tls.cert), key: read(tls.key) },
  };
}
