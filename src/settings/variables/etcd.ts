import { showHidden } from '../secret.ts';
import { list, text } from '../value-type.ts';
import { honoured, honouredSecret } from '../variable.ts';
import { secretFile, tlsFile } from './secret-variables.ts';

/** Rules from etcd v3. */
export const etcdVariables = {
  CONFIG_ETCD_ENDPOINTS: honoured(
    list,
    ['http://127.0.0.1:2379'],
    'etcd: members, as http://host:port or https://host:port, parted by commas. The next is asked where one fails.',
    { reason: 'Rules in etcd are there for all replicas at once.' },
  ),
  CONFIG_ETCD_PREFIX: honoured(
    text,
    '/weir/rules/',
    'etcd: what the keys of the files begin with. Each is one file, whatever its name.',
    { reason: 'etcd is mostly there for something else, too.' },
  ),
  CONFIG_ETCD_USER: honoured(text, '', 'etcd: name of the user to log in as.', {
    reason: 'Unset where etcd asks nobody who they are.',
  }),
  CONFIG_ETCD_PASSWORD: honouredSecret('', 'etcd: password of that user.', showHidden, {
    reason: 'CONFIG_ETCD_PASSWORD_FILE can be changed without a restart.',
  }),
  CONFIG_ETCD_PASSWORD_FILE: secretFile('etcd: file that holds it instead, read again at each connection.'),
  CONFIG_ETCD_TLS_CACERT: tlsFile('authority', 'etcd'),
  CONFIG_ETCD_TLS_CLIENT_CERT: tlsFile('certificate', 'etcd'),
  CONFIG_ETCD_TLS_CLIENT_KEY: tlsFile('key', 'etcd'),
};
