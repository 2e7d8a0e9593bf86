import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';

const consul = { BACKEND_TYPE: 'memory', CONFIG_TYPE: 'CONSUL' };

function read(env: Environment) {
  const result = readSettings({ ...consul, ...env });
  return {
    settings: 'settings' in result ? result.settings.config.consul : undefined,
    inForce: 'settings' in result ? result.settings.inForce : {},
    errors: 'errors' in result ? result.errors.map(({ message }) => message) : [],
    warnings: result.warnings.map(({ message }) => message),
  };
}

describe('rules from Consul', () => {
  it('have defaults', () => {
    expect(read({})).toMatchObject({
      settings: {
        address: 'http://127.0.0.1:8500/',
        prefix: 'weir/rules/',
        datacenter: undefined,
        waitMs: 60_000,
      },
      errors: [],
      warnings: [],
    });
  });

  it('have all that they can be told', () => {
    const env = {
      CONFIG_CONSUL_ADDRESS: 'https://consul.test:8501',
      CONFIG_CONSUL_PREFIX: '/limits/',
      CONFIG_CONSUL_DATACENTER: 'dc2',
      CONFIG_CONSUL_WAIT: '5m',
      CONFIG_CONSUL_TOKEN: 's3cret',
      CONFIG_CONSUL_TLS_CACERT: '/ca.crt',
    };
    const { settings, inForce, errors, warnings } = read(env);
    expect([...errors, ...warnings]).toEqual([]);
    expect(settings).toMatchObject({
      address: 'https://consul.test:8501/',
      prefix: 'limits/',
      datacenter: 'dc2',
      waitMs: 300_000,
      token: { kind: 'given' },
      tls: { caFile: '/ca.crt' },
    });
    expect(inForce).toMatchObject({ CONFIG_CONSUL_TOKEN: '***', CONFIG_CONSUL_WAIT: '5m' });
  });

  it.each([
    [{ CONFIG_CONSUL_ADDRESS: 'consul:8500' }, /must be an address such as/],
    [{ CONFIG_CONSUL_ADDRESS: 'http://consul:8500/v1/kv' }, /must be an address such as/],
    [{ CONFIG_CONSUL_PREFIX: '/' }, /must not be empty/],
    [{ CONFIG_CONSUL_WAIT: '11m' }, /10 minutes at most/],
    [{ CONFIG_CONSUL_TOKEN: 'a', CONFIG_CONSUL_TOKEN_FILE: '/a' }, /CONFIG_CONSUL_TOKEN_FILE contradicts/],
  ])('%o ends the start', (env, message) => {
    expect(read(env).errors).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    [
      { CONFIG_CONSUL_ADDRESS: 'http://consul.test:8500', CONFIG_CONSUL_TOKEN_FILE: '/t' },
      /CONFIG_CONSUL_TOKEN_FILE is about a secret that travels in clear text/,
    ],
    [{ CONFIG_TYPE: 'FILE', CONFIG_CONSUL_WAIT: '5m' }, /CONFIG_CONSUL_WAIT has no effect/],
  ])('%o is warned about', (env, warning) => {
    expect(read(env).warnings).toEqual([expect.stringMatching(warning)]);
  });
});
