import type { Checks } from './checks.ts';
import { secretSource } from './secret-source.ts';
import type { SensitiveSettings } from './settings.ts';

/** What is said of sensitive values. Commands that do not serve need no key. */
export function sensitiveSettings(checks: Checks): SensitiveSettings {
  return { everywhere: checks.values.SENSITIVE_VALUES, key: secretSource(checks, 'SENSITIVE_HASH_KEY') };
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
