import type { ConfigSource } from '../../config/config-source.ts';
import { createFileSource } from '../../config/file-source.ts';
import type { ConfigSettings } from '../../settings/settings.ts';
import type { SourceKind } from '../../settings/source-settings.ts';
import { createSourceLog } from '../config-log.ts';
import { consulSource } from './consul.ts';
import { etcdSource } from './etcd.ts';
import { httpSource } from './http.ts';
import { keptSource } from './kept.ts';
import type { SourceContext } from './source-context.ts';
import { xdsSource } from './xds.ts';

export interface NamedSource {
  readonly name: SourceKind;
  readonly source: ConfigSource;
}

/** The sources of the rules, in the order in which they count. Throws, with a sentence, when a file of secrets can't be read. */
export function createConfigSources(settings: ConfigSettings, context: SourceContext): NamedSource[] {
  return settings.sources.map((name) => {
    const source = createSource(name, settings, context);
    return { name, source: keptSource(name, source, settings, context) };
  });
}

function createSource(name: SourceKind, settings: ConfigSettings, context: SourceContext): ConfigSource {
  const { directory, ignoreDotFiles, xds, http, etcd, consul, remote } = settings;
  const withContent = settings.snapshotDirectory !== undefined;
  const remoteContext = { ...context, remote, withContent };
  if (name === 'xds' && xds !== undefined) return xdsSource(xds, remoteContext);
  if (name === 'http' && http !== undefined) return httpSource(http, remoteContext);
  if (name === 'etcd' && etcd !== undefined) return etcdSource(etcd, remoteContext);
  if (name === 'consul' && consul !== undefined) return consulSource(consul, remoteContext);
  return createFileSource({ directory, ignoreDotFiles, onEvent: createSourceLog(context.log) });
}
