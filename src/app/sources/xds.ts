import type { ConfigSource } from '../../config/config-source.ts';
import { createXdsSource, type XdsSourceOptions } from '../../config/xds/xds-source.ts';
import type { ChannelTls } from '../../grpc-client/client-channel.ts';
import type { Logger } from '../../log.ts';
import type { XdsSettings } from '../../settings/settings.ts';
import { readClientTls } from '../client-tls.ts';
import { renewed } from '../renewed.ts';
import type { RemoteContext } from './source-context.ts';
import { createXdsLog } from './xds-log.ts';

/** Rules from a control plane. Throws, with a sentence, when a file of TLS can't be read. */
export function xdsSource(settings: XdsSettings, context: RemoteContext): ConfigSource {
  const { clock, log, metrics, withContent } = context;
  const logEvent = createXdsLog({ clock, log, address: settings.address });
  return createXdsSource({
    ...xdsOptions(settings, log),
    clock,
    withContent,
    onEvent(event) {
      metrics.onSourceEvent('xds', event);
      logEvent(event);
    },
  });
}

function xdsOptions(
  settings: XdsSettings,
  log: Logger,
): Omit<XdsSourceOptions, 'clock' | 'withContent' | 'onEvent'> {
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
