import { type Checks, given } from './checks.ts';
import { isSource, sourceTls, warnOfClearText } from './remote-settings.ts';
import { secretSource } from './secret-source.ts';
import type { EtcdSettings } from './source-settings.ts';

/** undefined: no rules come from etcd. */
export function etcdSettings(checks: Checks): EtcdSettings | undefined {
  if (!isSource(checks, 'etcd', 'ETCD', 'CONFIG_ETCD_')) return undefined;
  const { values, fail } = checks;
  const endpoints = endpointsOf(checks);
  const urls = endpoints.map(({ url }) => url);
  if (values.CONFIG_ETCD_PREFIX === '')
    fail('CONFIG_ETCD_PREFIX', 'must not be empty: all keys would be files.');
  return {
    endpoints: endpoints.map(({ address }) => address),
    prefix: values.CONFIG_ETCD_PREFIX,
    user: userOf(checks, urls),
    isTls: urls.some(({ protocol }) => protocol === 'https:'),
    tls: sourceTls(checks, 'CONFIG_ETCD_TLS_', urls),
  };
}

interface Endpoint {
  readonly url: URL;
  /** `host:port`. */
  readonly address: string;
}

function endpointsOf({ values, fail }: Checks): Endpoint[] {
  const texts = values.CONFIG_ETCD_ENDPOINTS;
  const sound = texts.map(endpointOf).filter((one) => one !== undefined);
  if (sound.length < texts.length || texts.length === 0) {
    fail('CONFIG_ETCD_ENDPOINTS', 'must be members such as http://etcd-0:2379, parted by commas.');
  }
  if (new Set(sound.map(({ url }) => url.protocol)).size > 1) {
    fail('CONFIG_ETCD_ENDPOINTS', 'must be all with https or all without.');
  }
  return sound;
}

/** undefined for something else. */
function endpointOf(text: string): Endpoint | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const { hostname, pathname, search, hash, username, password } = url;
  if (`${pathname}${search}${hash}${username}${password}` !== '/') return undefined;
  // A URL leaves out the port that HTTP would have without it (80, 443), while etcd has another.
  const port = url.port || Number(/:(\d+)\/?$/.exec(text.trim())?.[1] ?? 2379);
  return { url, address: `${hostname}:${port}` };
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
