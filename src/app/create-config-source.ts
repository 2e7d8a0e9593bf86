import type { ConfigSource } from '../config/config-source.ts';
import { createFileSource } from '../config/file-source.ts';
import { createXdsSource, type XdsSourceOptions } from '../config/xds/xds-source.ts';
import type { Clock } from '../domain/clock.ts';
import type { ChannelTls } from '../grpc-client/client-channel.ts';
import type { Logger } from '../log.ts';
import type { ConfigSettings, XdsSettings } from '../settings/settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { readClientTls } from './client-tls.ts';
import { createSourceLog } from './config-log.ts';
import { renewed } from './renewed.ts';
import { createXdsLog } from './xds-log.ts';

export interface ConfigSourceContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Files, or a control plane. Throws, with a sentence, when a file of TLS can't be read. */
export function createConfigSource(settings: ConfigSettings, context: ConfigSourceContext): ConfigSource {
  const { directory, ignoreDotFiles, xds } = settings;
  if (xds === undefined) {
    return createFileSource({ directory, ignoreDotFiles, onEvent: createSourceLog(context.log) });
  }
  const { clock, log, metrics } = context;
  const logEvent = createXdsLog({ clock, log, address: xds.address });
  return createXdsSource({
    ...xdsOptions(xds, log),
    clock,
    onEvent(event) {
      metrics.onXdsEvent(event);
      logEvent(event);
    },
  });
}

function xdsOptions(settings: XdsSettings, log: Logger): Omit<XdsSourceOptions, 'clock' | 'onEvent'> {
  const { address, headers, maxMessageBytes, nodeId, nodeMetadata, backoff } = settings;
  return {
    server: {
      address,
      headers: headers.map(([name, value]) => [name, value.reveal()]),
      tls: xdsTls(settings, log),
      maxMessageBytes,
    },
    node: { id: nodeId, metadata: new Map(nodeMetadata) },
    backoff,
  };
}

const tlsVariables = {
  ca: 'CONFIG_GRPC_XDS_SERVER_TLS_CACERT',
  cert: 'CONFIG_GRPC_XDS_CLIENT_TLS_CERT',
  key: 'CONFIG_GRPC_XDS_CLIENT_TLS_KEY',
};

function xdsTls({ tls }: XdsSettings, log: Logger): XdsSourceOptions['server']['tls'] {
  if (tls === undefined) return () => undefined;
  const { serverName } = tls;
  return renewed<ChannelTls>(
    (last) => ({ ...readClientTls(tls, tlsVariables, last), serverName }),
    'the xDS server',
    log,
  );
}
