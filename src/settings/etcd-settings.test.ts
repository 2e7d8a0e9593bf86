import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';

const etcd = { BACKEND_TYPE: 'memory', CONFIG_TYPE: 'ETCD' };

function read(env: Environment) {
  const result = readSettings({ ...etcd, ...env });
  return {
    settings: 'settings' in result ? result.settings.config.etcd : undefined,
    inForce: 'settings' in result ? result.settings.inForce : {},
    errors: 'errors' in result ? result.errors.map(({ message }) => message) : [],
    warnings: result.warnings.map(({ message }) => message),
  };
}

describe('rules from etcd', () => {
  it('have defaults', () => {
    expect(read({})).toMatchObject({
      settings: { endpoints: ['127.0.0.1:2379'], prefix: '/weir/rules/', user: undefined, isTls: false },
      errors: [],
      warnings: [],
    });
  });

  it('have all that they can be told', () => {
    const env = {
      CONFIG_ETCD_ENDPOINTS: 'https://etcd-0,https://[::1]:2380',
      CONFIG_ETCD_PREFIX: 'limits/',
      CONFIG_ETCD_USER: 'weir',
      CONFIG_ETCD_PASSWORD: 's3cret',
      CONFIG_ETCD_TLS_CACERT: '/ca.crt',
    };
    const { settings, inForce, errors, warnings } = read(env);
    expect([...errors, ...warnings]).toEqual([]);
    expect(settings).toMatchObject({
      endpoints: ['etcd-0:2379', '[::1]:2380'],
      prefix: 'limits/',
      user: { name: 'weir', password: { kind: 'given' } },
      isTls: true,
      tls: { caFile: '/ca.crt' },
    });
    expect(inForce).toMatchObject({ ...env, CONFIG_ETCD_PASSWORD: '***' });
  });

  it.each([
    ['https://etcd.example:443', 'etcd.example:443'],
    ['http://etcd.example:80/', 'etcd.example:80'],
    [' https://[::1]:443 ', '[::1]:443'],
    ['http://[::1]', '[::1]:2379'],
    ['https://etcd.example:', 'etcd.example:2379'],
  ])('are asked for at %o at the port that it says, or at that of etcd', (text, endpoint) => {
    expect(read({ CONFIG_ETCD_ENDPOINTS: text }).settings?.endpoints).toEqual([endpoint]);
  });

  it.each([
    [{ CONFIG_ETCD_ENDPOINTS: 'etcd-0:2379' }, /must be members such as/],
    [{ CONFIG_ETCD_ENDPOINTS: 'http://a:2379/v3' }, /must be members such as/],
    [{ CONFIG_ETCD_ENDPOINTS: 'http://a:2379#b' }, /must be members such as/],
    [{ CONFIG_ETCD_ENDPOINTS: 'http://a:1,https://b:1' }, /all with https or all without/],
    [{ CONFIG_ETCD_USER: 'weir' }, /CONFIG_ETCD_PASSWORD must be set/],
    [{ CONFIG_ETCD_PASSWORD_FILE: '/p' }, /CONFIG_ETCD_USER must be set: CONFIG_ETCD_PASSWORD_FILE is/],
    [{ CONFIG_ETCD_TLS_CLIENT_CERT: '/c', CONFIG_ETCD_ENDPOINTS: 'https://a:1' }, /CLIENT_KEY must be set/],
  ])('%o ends the start', (env, message) => {
    expect(read(env).errors).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    [
      { CONFIG_ETCD_ENDPOINTS: 'http://etcd:2379', CONFIG_ETCD_USER: 'a', CONFIG_ETCD_PASSWORD: 'b' },
      /CONFIG_ETCD_PASSWORD is about a secret that travels in clear text to etcd:2379/,
    ],
    [{ CONFIG_TYPE: 'FILE', CONFIG_ETCD_PREFIX: 'a' }, /CONFIG_ETCD_PREFIX has no effect/],
  ])('%o is warned about', (env, warning) => {
    expect(read(env).warnings).toEqual([expect.stringMatching(warning)]);
  });
});
