import { type Checks, given } from './checks.ts';
import { beginningWith, secretHeadersOf } from './remote-settings.ts';
import type { XdsSettings, XdsTlsSettings } from './settings.ts';
import type { VariableName } from './variables.ts';

/** undefined: no rules come from a control plane. */
export function xdsSettings(checks: Checks): XdsSettings | undefined {
  const { values } = checks;
  // Without a warning: Envoy Gateway sets them with xDS, too.
  if (!values.CONFIG_TYPE.includes('file')) for (const name of fileVariables) checks.holds(name, '');
  if (!values.CONFIG_TYPE.includes('xds')) {
    checks.unused(
      beginningWith('CONFIG_GRPC_XDS_', 'XDS_CLIENT_'),
      'CONFIG_TYPE does not name GRPC_XDS_SOTW',
    );
    return undefined;
  }
  return {
    address: values.CONFIG_GRPC_XDS_SERVER_URL,
    nodeId: values.CONFIG_GRPC_XDS_NODE_ID,
    nodeMetadata: [...values.CONFIG_GRPC_XDS_NODE_METADATA],
    headers: secretHeadersOf(checks, 'CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS'),
    tls: tlsSettings(checks),
    backoff: {
      connectRetryMs: values.CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL,
      initialMs: values.XDS_CLIENT_BACKOFF_INITIAL_INTERVAL,
      maxMs: values.XDS_CLIENT_BACKOFF_MAX_INTERVAL,
      jitter: jitter(checks),
    },
    maxMessageBytes: values.XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES,
  };
}

const fileVariables: readonly VariableName[] = [
  'RUNTIME_ROOT',
  'RUNTIME_SUBDIRECTORY',
  'RUNTIME_APPDIRECTORY',
  'RUNTIME_IGNOREDOTFILES',
];

function tlsSettings(checks: Checks): XdsTlsSettings | undefined {
  const { values, fail } = checks;
  if (!values.CONFIG_GRPC_XDS_SERVER_USE_TLS) {
    checks.unused(tlsVariables, 'CONFIG_GRPC_XDS_SERVER_USE_TLS is not true, so that rules come without TLS');
    return undefined;
  }
  const certFile = given(values.CONFIG_GRPC_XDS_CLIENT_TLS_CERT);
  const keyFile = given(values.CONFIG_GRPC_XDS_CLIENT_TLS_KEY);
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const missing =
      certFile === undefined ? 'CONFIG_GRPC_XDS_CLIENT_TLS_CERT' : 'CONFIG_GRPC_XDS_CLIENT_TLS_KEY';
    fail(missing, 'must be set: a certificate for the xDS server and its key belong together.');
  }
  return {
    caFile: given(values.CONFIG_GRPC_XDS_SERVER_TLS_CACERT),
    certFile,
    keyFile,
    serverName: given(values.CONFIG_GRPC_XDS_SERVER_TLS_SAN),
  };
}

const tlsVariables: readonly VariableName[] = [
  'CONFIG_GRPC_XDS_CLIENT_TLS_CERT',
  'CONFIG_GRPC_XDS_CLIENT_TLS_KEY',
  'CONFIG_GRPC_XDS_SERVER_TLS_CACERT',
  'CONFIG_GRPC_XDS_SERVER_TLS_SAN',
];

function jitter(checks: Checks): number {
  const { values } = checks;
  if (!values.XDS_CLIENT_BACKOFF_JITTER) {
    checks.unused(['XDS_CLIENT_BACKOFF_RANDOM_FACTOR'], 'XDS_CLIENT_BACKOFF_JITTER is false');
    return 0;
  }
  const factor = values.XDS_CLIENT_BACKOFF_RANDOM_FACTOR;
  if (factor > 1) {
    checks.warn(
      'XDS_CLIENT_BACKOFF_RANDOM_FACTOR',
      'counts as 1: here it is how far a delay may be off at random, as a share of it. Delays double by themselves.',
    );
  }
  return Math.min(factor, 1);
}
