import { refuseHashKey } from '../hash-key.ts';
import { showHidden } from '../secret.ts';
import { choice, duration, flag, float64, integer, map, text } from '../value-type.ts';
import { honoured, honouredSecret, withoutEffect } from '../variable.ts';

const noXds = 'this version reads rules from files only';

/** Where rules come from. */
export const configVariables = {
  CONFIG_TYPE: honoured(
    choice<'file' | 'xds'>({ FILE: 'file' }, { GRPC_XDS_SOTW: 'xds' }),
    'file',
    'Source of the rules: files. GRPC_XDS_SOTW is refused for now.',
    {
      reason: 'xDS is not part of this version.',
      refuses: (value) =>
        value === 'xds'
          ? `${noXds}. Set CONFIG_TYPE=FILE and mount the rules below RUNTIME_ROOT.`
          : undefined,
    },
  ),
  FORCE_START_WITHOUT_INITIAL_CONFIG: honoured(flag, false, 'Ready also before the first configuration.', {
    reason: 'The listeners are open in any case; the reference opens none before the first configuration.',
  }),
  CONFIG_GRPC_XDS_NODE_ID: withoutEffect(text, 'default', 'xDS: id of this node.', noXds),
  CONFIG_GRPC_XDS_NODE_METADATA: withoutEffect(text, '', 'xDS: metadata of this node.', noXds),
  CONFIG_GRPC_XDS_SERVER_URL: withoutEffect(text, 'localhost:18000', 'xDS: the server.', noXds),
  CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL: withoutEffect(
    duration(),
    3_000,
    'xDS: time to the next try.',
    noXds,
  ),
  CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: withoutEffect(
    map,
    new Map<string, string>(),
    'xDS: headers for the server, which may hold tokens; never printed.',
    noXds,
  ),
  CONFIG_GRPC_XDS_SERVER_USE_TLS: withoutEffect(flag, false, 'xDS: TLS to the server.', noXds),
  CONFIG_GRPC_XDS_CLIENT_TLS_CERT: withoutEffect(text, '', 'xDS: certificate of the client.', noXds),
  CONFIG_GRPC_XDS_CLIENT_TLS_KEY: withoutEffect(text, '', 'xDS: its key.', noXds),
  CONFIG_GRPC_XDS_SERVER_TLS_CACERT: withoutEffect(
    text,
    '',
    'xDS: certificate authority of the server.',
    noXds,
  ),
  CONFIG_GRPC_XDS_SERVER_TLS_SAN: withoutEffect(text, '', 'xDS: name of the server.', noXds),
  XDS_CLIENT_BACKOFF_INITIAL_INTERVAL: withoutEffect(
    duration(),
    10_000,
    'xDS: first delay before connecting again.',
    noXds,
  ),
  XDS_CLIENT_BACKOFF_MAX_INTERVAL: withoutEffect(duration(), 60_000, 'xDS: longest such delay.', noXds),
  XDS_CLIENT_BACKOFF_RANDOM_FACTOR: withoutEffect(float64, 0.5, 'xDS: growth of the delay.', noXds),
  XDS_CLIENT_BACKOFF_JITTER: withoutEffect(flag, true, 'xDS: random delay.', noXds),
  XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES: withoutEffect(integer(), 0, 'xDS: largest message.', noXds),
  RUNTIME_ROOT: honoured(
    text,
    '/srv/runtime_data/current',
    'Top of the directory with the rules; may be a symbolic link.',
  ),
  RUNTIME_SUBDIRECTORY: honoured(text, '', 'Directory below RUNTIME_ROOT.'),
  RUNTIME_APPDIRECTORY: honoured(
    text,
    'config',
    'Directory below that; the files are in RUNTIME_ROOT/RUNTIME_SUBDIRECTORY/RUNTIME_APPDIRECTORY.',
  ),
  RUNTIME_IGNOREDOTFILES: honoured(flag, true, 'Entries whose name begins with a dot are not read.', {
    reason: 'Reference: false. A mounted ConfigMap holds its files a second time below `..data`.',
  }),
  RUNTIME_WATCH_ROOT: withoutEffect(
    flag,
    true,
    'Which of the two places is watched.',
    'the directory and the symbolic links on the way to it are always watched, both',
  ),
  MERGE_DOMAIN_CONFIG: honoured(flag, false, 'Several files may share a domain.'),
};

/** Weir's own: what is said of all rules. */
export const ownConfigVariables = {
  SENSITIVE_VALUES: honoured(
    flag,
    false,
    'Values of all domains appear as keyed hashes only, as with `sensitive: true` at the top of each file.',
    { reason: 'The reference writes values as they are.' },
  ),
  SENSITIVE_HASH_KEY: honouredSecret(
    '',
    'Secret with which sensitive values are hashed (HMAC-SHA-256), at least 16 characters; the same on all replicas.',
    showHidden,
    {
      reason: 'No default: replicas that made up their own would count apart.',
      refuses: refuseHashKey,
    },
  ),
  SENSITIVE_HASH_KEY_FILE: honoured(
    text,
    '',
    'File that holds it instead; a line end after it does not count. Read once, at the start.',
    { reason: 'As above.' },
  ),
};
