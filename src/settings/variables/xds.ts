import { assignments, duration, flag, float64, integer, text } from '../value-type.ts';
import { honoured } from '../variable.ts';
import { secretHeaders } from './secret-variables.ts';

/** Rules from a control plane. The order is that of the reference. */
export const xdsVariables = {
  CONFIG_GRPC_XDS_NODE_ID: honoured(
    text,
    'default',
    'xDS: id of this node, by which servers look up what they send.',
  ),
  CONFIG_GRPC_XDS_NODE_METADATA: honoured(
    assignments,
    new Map<string, string>(),
    'xDS: metadata of this node, as name=value,name=value.',
  ),
  CONFIG_GRPC_XDS_SERVER_URL: honoured(
    text,
    'localhost:18000',
    'xDS: the server, as host:port or another target of gRPC.',
  ),
  CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL: honoured(
    duration({ positive: true }),
    3_000,
    'xDS: time to the next try while the server cannot be reached.',
  ),
  CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: secretHeaders(
    'xDS: headers for the server, as name:value,name:value; values are never printed.',
  ),
  CONFIG_GRPC_XDS_SERVER_USE_TLS: honoured(flag, false, 'xDS: TLS to the server.'),
  CONFIG_GRPC_XDS_CLIENT_TLS_CERT: honoured(
    text,
    '',
    'xDS: file with our certificate, for servers that ask for one. These files are read at each connection.',
  ),
  CONFIG_GRPC_XDS_CLIENT_TLS_KEY: honoured(text, '', 'xDS: file with its key.'),
  CONFIG_GRPC_XDS_SERVER_TLS_CACERT: honoured(
    text,
    '',
    "xDS: file with the authorities of the server's certificate; the well-known ones unless set.",
    {
      reason:
        'The authorities of the system are not trusted beside it, which the reference does: a certificate of anybody would be enough.',
    },
  ),
  CONFIG_GRPC_XDS_SERVER_TLS_SAN: honoured(
    text,
    '',
    "xDS: name that the server's certificate must have; that of CONFIG_GRPC_XDS_SERVER_URL unless set.",
  ),
  XDS_CLIENT_BACKOFF_INITIAL_INTERVAL: honoured(
    duration({ positive: true }),
    10_000,
    'xDS: time to the next stream after one that ended. It doubles each time, until a configuration is accepted.',
  ),
  XDS_CLIENT_BACKOFF_MAX_INTERVAL: honoured(duration({ positive: true }), 60_000, 'xDS: longest such time.'),
  XDS_CLIENT_BACKOFF_RANDOM_FACTOR: honoured(
    float64,
    0.5,
    'xDS: how far each time may be off at random, up and down, as a share of it.',
    {
      reason:
        'The reference multiplies the time by it, so that with its default of 0.5 the time never grows (read). More than 1 counts as 1.',
      refuses: (value) => (value >= 0 ? undefined : 'a share cannot be below 0.'),
    },
  ),
  XDS_CLIENT_BACKOFF_JITTER: honoured(flag, true, 'xDS: whether it may be off at all.'),
  XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES: honoured(
    integer({ min: 1, max: 1_073_741_824 }),
    67_108_864,
    'xDS: largest response that is taken, in bytes.',
    { reason: "Reference: 4 MiB unless set, gRPC's own, which some tens of thousands of rules exceed." },
  ),
};
