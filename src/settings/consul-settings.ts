import { type Checks, given } from './checks.ts';
import { isSource, sourceTls, warnOfClearText } from './remote-settings.ts';
import { secretSource } from './secret-source.ts';
import type { ConsulSettings } from './source-settings.ts';

/** undefined: no rules come from Consul. */
export function consulSettings(checks: Checks): ConsulSettings | undefined {
  if (!isSource(checks, 'consul', 'CONSUL', 'CONFIG_CONSUL_')) return undefined;
  const { values, fail } = checks;
  const urls = addressOf(checks);
  if (/^\/*$/.test(values.CONFIG_CONSUL_PREFIX)) {
    fail('CONFIG_CONSUL_PREFIX', 'must not be empty: all keys would be files.');
  }
  const token = secretSource(checks, 'CONFIG_CONSUL_TOKEN');
  if (token !== undefined) {
    warnOfClearText(checks, token.kind === 'file' ? 'CONFIG_CONSUL_TOKEN_FILE' : 'CONFIG_CONSUL_TOKEN', urls);
  }
  return {
    address: urls[0]?.href ?? '',
    // Keys of Consul begin with no slash; its address of a key has one before them.
    prefix: values.CONFIG_CONSUL_PREFIX.replace(/^\/+/, ''),
    datacenter: given(values.CONFIG_CONSUL_DATACENTER),
    waitMs: values.CONFIG_CONSUL_WAIT,
    token,
    tls: sourceTls(checks, 'CONFIG_CONSUL_TLS_', urls),
  };
}

function addressOf({ values, fail }: Checks): URL[] {
  const url = URL.parse(values.CONFIG_CONSUL_ADDRESS);
  const { protocol = '', pathname = '', search = '', username = '', password = '' } = url ?? {};
  if (url !== null && /^https?:$/.test(protocol) && `${pathname}${search}${username}${password}` === '/') {
    return [url];
  }
  fail('CONFIG_CONSUL_ADDRESS', 'must be an address such as http://127.0.0.1:8500.');
  return [];
}
