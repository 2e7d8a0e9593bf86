import { type Checks, given } from './checks.ts';
import { isSource, sourceTls, warnOfClearText } from './remote-settings.ts';
import { secretSource } from './secret-source.ts';
import type { EtcdSettings } from './source-settings.ts';

/** undefined: no rules come from etcd. */
export function etcdSettings(checks: Checks): EtcdSettings | undefined {
  if (!isSource(checks, 'etcd', 'ETCD', 'CONFIG_ETCD_')) return undefined;
  const { values, fail } = checks;
  const urls = endpointsOf(checks);
  if (values.CONFIG_ETCD_PREFIX === '')
    fail('CONFIG_ETCD_PREFIX', 'must not be empty: all keys would be files.');
  return {
    endpoints: urls.map(({ hostname, port }) => `${hostname}:${port || '2379'}`),
    prefix: values.CONFIG_ETCD_PREFIX,
    user: userOf(checks, urls),
    isTls: urls.some(({ protocol }) => protocol === 'https:'),
    tls: sourceTls(checks, 'CONFIG_ETCD_TLS_', urls),
  };
}

function endpointsOf({ values, fail }: Checks): URL[] {
  const urls = values.CONFIG_ETCD_ENDPOINTS.map((text) => URL.parse(text.trim()));
  const sound = urls.filter((url) => url !== null && isEndpoint(url)) as URL[];
  if (sound.length < urls.length || urls.length === 0) {
    fail('CONFIG_ETCD_ENDPOINTS', 'must be members such as http://etcd-0:2379, parted by commas.');
  }
  if (new Set(sound.map(({ protocol }) => protocol)).size > 1) {
    fail('CONFIG_ETCD_ENDPOINTS', 'must be all with https or all without.');
  }
  return sound;
}

function isEndpoint({ protocol, pathname, search, username, password }: URL): boolean {
  return /^https?:$/.test(protocol) && `${pathname}${search}${username}${password}` === '/';
}

function userOf(checks: Checks, urls: readonly URL[]): EtcdSettings['user'] {
  const name = given(checks.values.CONFIG_ETCD_USER);
  const password = secretSource(checks, 'CONFIG_ETCD_PASSWORD');
  if (password === undefined) {
    if (name !== undefined) checks.fail('CONFIG_ETCD_PASSWORD', 'must be set: CONFIG_ETCD_USER is.');
    return undefined;
  }
  const variable = password.kind === 'file' ? 'CONFIG_ETCD_PASSWORD_FILE' : 'CONFIG_ETCD_PASSWORD';
  if (name === undefined) checks.fail('CONFIG_ETCD_USER', `must be set: ${variable} is.`);
  warnOfClearText(checks, variable, urls);
  return { name: name ?? '', password };
}
