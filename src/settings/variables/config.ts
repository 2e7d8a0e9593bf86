import { choices } from '../choices.ts';
import { refuseHashKey } from '../hash-key.ts';
import { showHidden } from '../secret.ts';
import type { SourceKind } from '../source-settings.ts';
import { flag, text } from '../value-type.ts';
import { honoured, honouredSecret, withoutEffect } from '../variable.ts';
import { consulVariables } from './consul.ts';
import { etcdVariables } from './etcd.ts';
import { httpSourceVariables } from './http-source.ts';
import { remoteVariables } from './remote.ts';
import { xdsVariables } from './xds.ts';

/** Where rules come from. */
export const configVariables = {
  CONFIG_TYPE: honoured(
    choices<SourceKind>({ FILE: 'file', GRPC_XDS_SOTW: 'xds', HTTP: 'http', ETCD: 'etcd', CONSUL: 'consul' }),
    ['file'],
    'Sources of the rules: files, a control plane over xDS (state of the world), URLs, etcd, Consul. A domain that several have is that of the later one.',
    { reason: 'The reference takes one, FILE or GRPC_XDS_SOTW.' },
  ),
  FORCE_START_WITHOUT_INITIAL_CONFIG: honoured(flag, false, 'Ready also before the first configuration.', {
    reason: 'The listeners are open in any case; the reference opens none before the first configuration.',
  }),
  ...xdsVariables,
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

/** Weir's own: sources that the reference does not have, and what is said of all rules. */
export const ownConfigVariables = {
  ...httpSourceVariables,
  ...etcdVariables,
  ...consulVariables,
  ...remoteVariables,
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
