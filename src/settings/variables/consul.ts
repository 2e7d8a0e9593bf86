import { duration, text } from '../value-type.ts';
import { honoured } from '../variable.ts';
import { secretFile, secretToken, tlsFile } from './secret-variables.ts';

/** Consul holds a request back for no longer. */
const longestWaitMs = 600_000;

/** Rules from Consul's keys and values. */
export const consulVariables = {
  CONFIG_CONSUL_ADDRESS: honoured(
    text,
    'http://127.0.0.1:8500',
    'Consul: an agent or a server, as http://host:port or https://host:port.',
    { reason: 'Rules in Consul are there for all replicas at once.' },
  ),
  CONFIG_CONSUL_PREFIX: honoured(
    text,
    'weir/rules/',
    'Consul: what the keys of the files begin with. Each is one file, whatever its name.',
    { reason: 'Consul is mostly there for something else, too.' },
  ),
  CONFIG_CONSUL_DATACENTER: honoured(
    text,
    '',
    'Consul: datacenter whose keys are read; that of the agent unless set.',
    {
      reason: 'Keys are not the same in all.',
    },
  ),
  CONFIG_CONSUL_WAIT: honoured(
    duration({ positive: true }),
    60_000,
    'Consul: longest time for which a request waits for a change.',
    {
      reason: 'A server that died without a word is found when it is over.',
      refuses: (value) => (value <= longestWaitMs ? undefined : 'Consul waits for 10 minutes at most.'),
    },
  ),
  CONFIG_CONSUL_TOKEN: secretToken(
    'Consul: what is sent as `X-Consul-Token`.',
    'CONFIG_CONSUL_TOKEN_FILE can be changed without a restart.',
  ),
  CONFIG_CONSUL_TOKEN_FILE: secretFile('Consul: file that holds that token, read again for each request.'),
  CONFIG_CONSUL_TLS_CACERT: tlsFile('authority', 'Consul'),
  CONFIG_CONSUL_TLS_CLIENT_CERT: tlsFile('certificate', 'Consul'),
  CONFIG_CONSUL_TLS_CLIENT_KEY: tlsFile('key', 'Consul'),
};
