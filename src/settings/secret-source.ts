import { type Checks, given } from './checks.ts';
import type { SecretSource } from './secret.ts';
import { createSecret } from './secret.ts';

/** Secrets that can be in a variable, or in a file that `NAME_FILE` names. */
export type SecretName =
  | 'REDIS_AUTH'
  | 'REDIS_SENTINEL_AUTH'
  | 'REDIS_PERSECOND_AUTH'
  | 'REDIS_PERSECOND_SENTINEL_AUTH'
  | 'DEBUG_TOKEN'
  | 'CONFIG_HTTP_TOKEN'
  | 'CONFIG_CONSUL_TOKEN'
  | 'CONFIG_ETCD_PASSWORD'
  | 'SENSITIVE_HASH_KEY';

/** Where the secret is; undefined: there is none. */
export function secretSource(checks: Checks, name: SecretName): SecretSource | undefined {
  const text = given(checks.values[name]);
  const file = given(checks.values[`${name}_FILE`]);
  if (text !== undefined && file !== undefined) {
    checks.fail(`${name}_FILE`, `contradicts ${name}. Remove one of them.`);
  }
  if (file !== undefined) return { kind: 'file', file };
  return text === undefined ? undefined : { kind: 'given', text: createSecret(text) };
}
