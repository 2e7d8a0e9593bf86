import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';

type Env = Readonly<Record<string, string>>;

function read(env: Env) {
  return readSettings({ BACKEND_TYPE: 'memory', ...env });
}

function settingsOf(env: Env) {
  const result = read(env);
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.settings;
}

function errorsOf(env: Env) {
  const result = read(env);
  return 'errors' in result ? result.errors.map(({ message }) => message) : [];
}

const text = '0123456789abcdef';

describe('sensitive values', () => {
  it('are none, and have no key, unless somebody says so', () => {
    expect(settingsOf({}).config.sensitive).toEqual({ everywhere: false, key: undefined });
  });

  it('have a key of which nothing is shown', () => {
    const { config, inForce } = settingsOf({ SENSITIVE_VALUES: 'true', SENSITIVE_HASH_KEY: text });
    expect(config.sensitive.everywhere).toBe(true);
    expect(config.sensitive.key?.kind === 'given' && config.sensitive.key.text.reveal()).toBe(text);
    expect(inForce).toMatchObject({ SENSITIVE_VALUES: 'true', SENSITIVE_HASH_KEY: '***' });
  });

  it('or a file with it', () => {
    const { config, inForce } = settingsOf({ SENSITIVE_VALUES: 'true', SENSITIVE_HASH_KEY_FILE: '/run/key' });
    expect(config.sensitive.key).toEqual({ kind: 'file', file: '/run/key' });
    expect(inForce).toMatchObject({ SENSITIVE_HASH_KEY_FILE: '/run/key' });
    expect(inForce).not.toHaveProperty('SENSITIVE_HASH_KEY');
  });

  it.each<[Env, string]>([
    [{ SENSITIVE_VALUES: 'true' }, 'SENSITIVE_VALUES needs a secret that all replicas share'],
    [{ SENSITIVE_HASH_KEY: text.slice(1) }, 'SENSITIVE_HASH_KEY: it must have at least 16 characters'],
    [
      { SENSITIVE_VALUES: 'true', SENSITIVE_HASH_KEY: 'short' },
      'SENSITIVE_HASH_KEY: it must have at least 16 characters',
    ],
    [
      { SENSITIVE_HASH_KEY: text, SENSITIVE_HASH_KEY_FILE: '/run/key' },
      'SENSITIVE_HASH_KEY_FILE contradicts SENSITIVE_HASH_KEY',
    ],
  ])('%j is refused', (env, message) => {
    expect(errorsOf(env)).toEqual([expect.stringContaining(message)]);
  });
});
