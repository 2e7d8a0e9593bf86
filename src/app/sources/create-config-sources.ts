import type { ConfigSource } from '../../config/config-source.ts';
import { createFileSource } from '../../config/file-source.ts';
import type { ConfigSettings } from '../../settings/settings.ts';
import type { SourceKind } from '../../settings/source-settings.ts';
import { createSourceLog } from '../config-log.ts';
import { consulSource } from './consul.ts';
import { etcdSource } from './etcd.ts';
import { httpSource } from './http.ts';
import type { SourceContext } from './source-context.ts';
import { xdsSource } from './xds.ts';

export interface NamedSource {
  readonly name: SourceKind;
  readonly source: ConfigSource;
}

/** The sources of the rules, in the order in which they count. Throws, with a sentence, when a file of secrets can't be read. */
export function createConfigSources(settings: ConfigSettings, context: SourceContext): NamedSource[] {
  return settings.sources.map((name) => ({ name, source: createSource(name, settings, context) }));
}

function createSource(name: SourceKind, settings: ConfigSettings, context: SourceContext): ConfigSource {
  const { directory, ignoreDotFiles, xds, http, etcd, consul, remote } = settings;
  const remoteContext = { ...context, remote };
  if (name === 'xds' && xds !== undefined) return xdsSource(xds, context);
  if (name === 'http' && http !== undefined) return httpSource(http, remoteContext);
  if (name === 'etcd' && etcd !== undefined) return etcdSource(etcd, remoteContext);
  if (name === 'consul' && consul !== undefined) return consulSource(consul, remoteContext);
  return createFileSource({ directory, ignoreDotFiles, onEvent: createSourceLog(context.log) });
}
