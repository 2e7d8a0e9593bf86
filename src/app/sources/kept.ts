import { join } from 'node:path';
import type { ConfigSource } from '../../config/config-source.ts';
import { documentName } from '../../config/http/http-document.ts';
import { createKeptSource, type KeptSourceEvent } from '../../config/kept/kept-source.ts';
import type { Logger } from '../../log.ts';
import { Sampler } from '../../log-sampler.ts';
import type { ConfigSettings } from '../../settings/settings.ts';
import type { SourceKind } from '../../settings/source-settings.ts';
import { printable } from '../../telemetry/printable.ts';
import type { SourceContext } from './source-context.ts';

/** Keeps the last good rules of a source on disk, where that is asked for. Files are on a disk already. */
export function keptSource(
  name: SourceKind,
  source: ConfigSource,
  settings: ConfigSettings,
  context: SourceContext,
): ConfigSource {
  const { snapshotDirectory } = settings;
  if (snapshotDirectory === undefined || name === 'file') return source;
  const logEvent = createKeptLog(name, context);
  return createKeptSource(source, {
    path: join(snapshotDirectory, `${name}.snapshot`),
    identity: identityOf(name, settings),
    clock: context.clock,
    retry: { initialMs: 1_000, maxMs: 60_000, jitter: 0.5 },
    onEvent(event) {
      context.metrics.onSourceEvent(name, event);
      logEvent(event);
    },
  });
}

/** From where a source has its rules; without members and agents, which are many ways to the same. */
function identityOf(name: SourceKind, { xds, http, etcd, consul }: ConfigSettings): string {
  const urls = http?.urls.map((url) => documentName(new URL(url.reveal()))).sort();
  const places = {
    file: [],
    xds: [xds?.address, xds?.nodeId],
    http: urls ?? [],
    etcd: [etcd?.prefix],
    consul: [consul?.datacenter, consul?.prefix],
  };
  return [name, ...places[name]].join(' ');
}

/** A disk that is full is told of once in this time. */
const intervalMs = 60_000;

function createKeptLog(
  source: SourceKind,
  { log, clock }: SourceContext & { readonly log: Logger },
): (event: KeptSourceEvent) => void {
  const sampler = new Sampler({ intervalMs, maxSubjects: 10 });
  return (event) => {
    if (event.kind === 'restored') {
      const fields = { source, version: event.version, savedAt: new Date(event.savedAt).toISOString() };
      log.warn(fields, 'rules restored from disk; they count until the source answers');
    } else if (event.kind === 'live') {
      log.info({ source }, 'the source of rules has answered');
    } else {
      const line = sampler.take(`${event.kind} ${event.reason}`, clock.monotonic());
      const fields = { source, reason: printable(event.reason), ...line };
      const message =
        event.kind === 'keep-failed'
          ? 'rules cannot be kept on disk; it is tried again, and until then a restart begins with what was kept before'
          : 'rules that were kept on disk cannot be used';
      if (line !== undefined) log.error(fields, message);
    }
  };
}
