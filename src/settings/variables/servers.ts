import type { LogLevel } from '../settings.ts';
import { bearerToken, choice, duration, flag, integer, port, text } from '../value-type.ts';
import { honoured, withoutEffect } from '../variable.ts';
import { secretFile, secretToken } from './secret-variables.ts';

/** Names of logrus, which the reference uses, and the level of Weir's log that each means. */
const logLevels: Readonly<Record<string, LogLevel>> = {
  trace: 'trace',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  fatal: 'fatal',
  panic: 'fatal',
};

/** Listeners and the log. */
export const serverVariables = {
  HOST: honoured(
    text,
    '0.0.0.0',
    'Address of the HTTP listener: `/json`, `/check`, health, `/metrics`. `::` binds IPv6 and IPv4.',
  ),
  PORT: honoured(port, 8080, 'Port of the HTTP listener; 0 lets the system choose.'),
  DEBUG_HOST: honoured(text, '127.0.0.1', 'Address of the debug listener: `/rlconfig`, `/counters/`.', {
    reason:
      'Reference: 0.0.0.0. Unless told to, the listener asks nobody who they are, so it is open to the machine (the pod) only.',
  }),
  DEBUG_PORT: honoured(port, 6070, 'Port of the debug listener.'),
  GRPC_UDS: honoured(
    text,
    '',
    'Path of a unix socket on which gRPC listens instead of on GRPC_HOST and GRPC_PORT.',
  ),
  GRPC_HOST: honoured(text, '0.0.0.0', 'Address of the gRPC listener.'),
  GRPC_PORT: honoured(port, 8081, 'Port of the gRPC listener.'),
  GRPC_MAX_CONNECTION_AGE: honoured(
    duration(),
    300_000,
    'Age at which a connection gets GOAWAY, give or take 10 %; 0: never.',
    {
      reason:
        'Reference: 24h. A replica that is added gets its share of the traffic only when connections are made anew.',
    },
  ),
  GRPC_MAX_CONNECTION_AGE_GRACE: honoured(
    duration(),
    30_000,
    'Time for the last calls after that; 0: without end.',
    {
      reason: 'Reference: 1h. A call takes milliseconds.',
    },
  ),
  GRPC_SERVER_USE_TLS: honoured(flag, false, 'TLS on the gRPC listener.'),
  GRPC_SERVER_TLS_CERT: honoured(
    text,
    '',
    'File of the certificate chain (PEM), read again when it changes.',
  ),
  GRPC_SERVER_TLS_KEY: honoured(
    text,
    '',
    'File of its key (PEM). It may be in another directory than the certificate.',
  ),
  GRPC_CLIENT_TLS_CACERT: honoured(
    text,
    '',
    'File of a certificate authority (PEM); when given, every client must show a certificate of it.',
  ),
  GRPC_CLIENT_TLS_SAN: honoured(text, '', 'DNS name that the certificate of the client must carry.'),
  GRPC_SERVER_TLS_CA_CERT: withoutEffect(
    text,
    '',
    'Set by Envoy Gateway.',
    'the reference does not read it either; GRPC_CLIENT_TLS_CACERT asks for client certificates',
  ),
  LOG_LEVEL: honoured(choice(logLevels), 'info', 'Least level that is logged.', {
    reason:
      'Reference: WARN. What was started with which settings and rules should be in the log; requests are not, at info.',
  }),
  LOG_FORMAT: honoured(choice({ json: 'json', text: 'text' } as const), 'json', 'Form of the log lines.', {
    reason: 'Reference: text. Logs are mostly read by machines.',
  }),
};

/** Weir's own, for the same. */
export const ownServerVariables = {
  MAX_MESSAGE_SIZE: honoured(
    integer({ min: 1, max: 1_073_741_824 }),
    4_194_304,
    'Bytes of a gRPC message or a `/json` body.',
    {
      reason: 'Bounds the memory that one call can take. The default is that of gRPC.',
    },
  ),
  HTTP_MAX_CONNECTIONS: honoured(
    integer({ min: 1, max: 1_000_000 }),
    1_024,
    'Connections of each HTTP listener; further ones are closed at once.',
    {
      reason: 'Bounds what all of them can hold, and leaves files for gRPC. Probes and scrapes need a few.',
    },
  ),
  DEBUG_TOKEN: {
    ...secretToken(
      'What a client of the debug listener must send as `Authorization: Bearer ...`; without it, or client certificates, nobody sees or changes counters.',
      'For a debug listener that more than the machine can reach. DEBUG_TOKEN_FILE can be changed without a restart.',
    ),
    type: bearerToken,
  },
  DEBUG_TOKEN_FILE: secretFile('File that holds that token, read again when it changes.'),
  DEBUG_TLS_CERT: honoured(
    text,
    '',
    'TLS on the debug listener: file of the certificate chain (PEM), read again when it changes.',
    { reason: 'A token should not travel in clear text.' },
  ),
  DEBUG_TLS_KEY: honoured(text, '', 'File of its key (PEM).', { reason: 'As above.' }),
  DEBUG_TLS_CLIENT_CACERT: honoured(
    text,
    '',
    'File of a certificate authority (PEM); when given, every client of the debug listener must show a certificate of it.',
    { reason: 'Instead of a token, or besides.' },
  ),
  DRAIN_DELAY: honoured(
    duration(),
    10_000,
    'After SIGTERM: how long it goes on serving, not ready, until callers have left.',
    {
      reason: 'Without it, calls fail in each rolling update.',
    },
  ),
  DRAIN_DEADLINE: honoured(
    duration({ positive: true }),
    25_000,
    'From SIGTERM, delay included, to the exit at the latest.',
    { reason: "A client that hangs must not hold the exit up. The default fits into Kubernetes' 30 s." },
  ),
};
