import { type Checks, given } from './checks.ts';
import { createSecret } from './secret.ts';
import type { HashKeySettings, SensitiveSettings } from './settings.ts';

/** What is said of sensitive values. Commands that do not serve need no key. */
export function sensitiveSettings(checks: Checks): SensitiveSettings {
  return { everywhere: checks.values.SENSITIVE_VALUES, key: hashKey(checks) };
}

/** For those that serve: all values cannot be hashed without a key. */
export function checkHashKey(checks: Checks, { everywhere, key }: SensitiveSettings): void {
  if (!everywhere || key !== undefined) return;
  // One that is there and cannot be read has its own error.
  if (!checks.isSound('SENSITIVE_HASH_KEY') || !checks.isSound('SENSITIVE_HASH_KEY_FILE')) return;
  checks.fail(
    'SENSITIVE_VALUES',
    'needs a secret that all replicas share. Set SENSITIVE_HASH_KEY or SENSITIVE_HASH_KEY_FILE.',
  );
}

function hashKey(checks: Checks): HashKeySettings | undefined {
  const text = given(checks.values.SENSITIVE_HASH_KEY);
  const file = given(checks.values.SENSITIVE_HASH_KEY_FILE);
  if (text !== undefined && file !== undefined) {
    checks.fail('SENSITIVE_HASH_KEY_FILE', 'contradicts SENSITIVE_HASH_KEY. Remove one of them.');
  }
  if (file !== undefined) return { kind: 'file', file };
  return text === undefined ? undefined : { kind: 'given', text: createSecret(text) };
}
