import { duration, text } from '../value-type.ts';
import { honoured } from '../variable.ts';

/** What the sources have in common that are asked for files elsewhere: HTTP, etcd, Consul. */
export const remoteVariables = {
  CONFIG_REMOTE_TIMEOUT: honoured(
    duration({ positive: true }),
    10_000,
    'HTTP, etcd, Consul: longest time for one answer, from the name to the last byte.',
    { reason: 'A server that is silent or endlessly slow is one that is away.' },
  ),
  CONFIG_REMOTE_BACKOFF_INITIAL_INTERVAL: honoured(
    duration({ positive: true }),
    1_000,
    'HTTP, etcd, Consul: time to the next try after a failure. It doubles each time, until one succeeds, and is off by up to half of it at random.',
    { reason: 'A server that comes back should not find everybody at its door.' },
  ),
  CONFIG_REMOTE_BACKOFF_MAX_INTERVAL: honoured(
    duration({ positive: true }),
    60_000,
    'HTTP, etcd, Consul: longest such time.',
    { reason: 'As above.' },
  ),
  CONFIG_SNAPSHOT_PATH: honoured(
    text,
    '',
    'Directory in which the last good rules of sources other than files are kept, for a restart while a source is away; made where it is missing.',
    { reason: 'Unset, nothing is written: a replica that starts while its source is away has no rules.' },
  ),
};
