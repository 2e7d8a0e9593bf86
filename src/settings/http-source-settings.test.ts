import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';

const http = {
  BACKEND_TYPE: 'memory',
  CONFIG_TYPE: 'HTTP',
  CONFIG_HTTP_URLS: 'https://rules.test/shop.yaml',
};

function read(env: Environment) {
  const result = readSettings({ ...http, ...env });
  return {
    config: 'settings' in result ? result.settings.config : undefined,
    inForce: 'settings' in result ? result.settings.inForce : {},
    errors: 'errors' in result ? result.errors.map(({ message }) => message) : [],
    warnings: result.warnings.map(({ message }) => message),
  };
}

describe('rules from URLs', () => {
  it('have defaults', () => {
    const { config, errors, warnings } = read({});
    expect([...errors, ...warnings]).toEqual([]);
    expect(config).toMatchObject({
      sources: ['http'],
      xds: undefined,
      http: { pollIntervalMs: 30_000, token: undefined, headers: [], checksum: { kind: 'none' } },
      remote: { timeoutMs: 10_000, backoff: { initialMs: 1_000, maxMs: 60_000 } },
    });
  });

  it('have all that they can be told, and nothing of it that is secret is shown', () => {
    const env = {
      CONFIG_HTTP_URLS: 'https://rules.test/a.yaml?X-Amz-Signature=s3cret,https://rules.test/b.yaml',
      CONFIG_HTTP_POLL_INTERVAL: '5s',
      CONFIG_HTTP_TOKEN_FILE: '/run/secrets/token',
      CONFIG_HTTP_HEADERS: 'X-Tenant:7',
      CONFIG_HTTP_CHECKSUM_HEADER: 'X-Amz-Checksum-Sha256',
      CONFIG_HTTP_TLS_CACERT: '/ca.crt',
    };
    const { config, inForce, errors } = read(env);
    expect(errors).toEqual([]);
    expect(config?.http?.urls.map((url) => url.reveal())).toEqual(env.CONFIG_HTTP_URLS.split(','));
    expect(config?.http).toMatchObject({
      pollIntervalMs: 5_000,
      token: { kind: 'file', file: '/run/secrets/token' },
      checksum: { kind: 'header', name: 'x-amz-checksum-sha256' },
      tls: { caFile: '/ca.crt', certFile: undefined, keyFile: undefined },
    });
    expect(config?.http?.headers.map(([name, value]) => [name, value.reveal()])).toEqual([['x-tenant', '7']]);
    expect(inForce).toMatchObject({
      ...env,
      CONFIG_HTTP_URLS: 'https://rules.test/a.yaml?***,https://rules.test/b.yaml',
      CONFIG_HTTP_HEADERS: 'X-Tenant:***',
    });
  });

  it.each([
    [{ CONFIG_HTTP_URLS: '' }, /CONFIG_HTTP_URLS must be set/],
    [{ CONFIG_HTTP_URLS: 'rules.test/shop.yaml' }, /must be URLs such as/],
    [{ CONFIG_HTTP_URLS: 'ftp://rules.test/shop.yaml' }, /must be URLs such as/],
    [{ CONFIG_HTTP_URLS: 'https://me:s3cret@rules.test/' }, /must not have a user in it/],
    [{ CONFIG_HTTP_URLS: 'https://a.test/x?v=1,https://a.test/x?v=2' }, /differ in more than their query/],
    [
      { CONFIG_HTTP_URLS: Array.from({ length: 17 }, (_, index) => `https://a.test/${index}`).join() },
      /must not have more than 16 URLs/,
    ],
    [{ CONFIG_HTTP_TOKEN: 'a', CONFIG_HTTP_TOKEN_FILE: '/a' }, /CONFIG_HTTP_TOKEN_FILE contradicts/],
    [{ CONFIG_HTTP_TOKEN: 'a', CONFIG_HTTP_HEADERS: 'Authorization:b' }, /both are the header authorization/],
    [{ CONFIG_HTTP_TOKEN_FILE: 's3cret' }, /must be a path/],
    [{ CONFIG_HTTP_HEADERS: 'a b:c' }, /must have header names/],
    [{ CONFIG_HTTP_CHECKSUM_HEADER: 'a', CONFIG_HTTP_CHECKSUM_SUFFIX: '.b' }, /SUFFIX contradicts/],
    [{ CONFIG_HTTP_TLS_CLIENT_KEY: '/k' }, /CONFIG_HTTP_TLS_CLIENT_CERT must be set/],
    [{ CONFIG_HTTP_POLL_INTERVAL: '0s' }, /above 0/],
  ])('%o ends the start', (env, message) => {
    const { errors } = read(env);
    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(String(errors)).not.toContain('s3cret');
  });

  it.each([
    [
      { CONFIG_HTTP_URLS: 'http://rules.test/a', CONFIG_HTTP_TOKEN: 't' },
      [/CONFIG_HTTP_TOKEN is about a secret/],
    ],
    [{ CONFIG_HTTP_URLS: 'http://[::1]:2772/a', CONFIG_HTTP_TOKEN: 't' }, []],
    [
      { CONFIG_HTTP_URLS: 'http://rules.test/a', CONFIG_HTTP_HEADERS: 'Authorization:Basic eA==' },
      [/CONFIG_HTTP_HEADERS is about a secret that travels in clear text to rules.test/],
    ],
    [{ CONFIG_HTTP_URLS: 'http://rules.test/a', CONFIG_HTTP_HEADERS: 'X-Tenant:7' }, []],
    [
      { CONFIG_HTTP_URLS: 'http://a.test/', CONFIG_HTTP_TLS_CACERT: '/ca' },
      [/CACERT has no effect: .*without TLS/],
    ],
    [{ CONFIG_TYPE: 'FILE' }, [/CONFIG_HTTP_URLS has no effect: CONFIG_TYPE does not name HTTP/]],
    [
      { CONFIG_TYPE: 'FILE', CONFIG_HTTP_URLS: '', CONFIG_REMOTE_TIMEOUT: '1s' },
      [/CONFIG_REMOTE_TIMEOUT has no effect: CONFIG_TYPE names no source that it is about/],
    ],
  ])('%o gives the warnings %o', (env, warnings) => {
    expect(read(env).warnings).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
  });
});

it('several sources keep their order, and the directory of files counts only with them', () => {
  const two = read({ CONFIG_TYPE: 'FILE,HTTP', RUNTIME_ROOT: '/data' });
  expect(two.config?.sources).toEqual(['file', 'http']);
  expect(two.inForce).toMatchObject({ CONFIG_TYPE: 'FILE,HTTP', RUNTIME_ROOT: '/data' });
  expect(read({ RUNTIME_ROOT: '/data' }).inForce).not.toHaveProperty('RUNTIME_ROOT');
});

it('rules of sources elsewhere can be kept on disk, and files are there already', () => {
  const kept = { CONFIG_SNAPSHOT_PATH: '/var/lib/weir' };
  expect(read(kept).config?.snapshotDirectory).toBe('/var/lib/weir');
  const files = read({ ...kept, CONFIG_TYPE: 'FILE', CONFIG_HTTP_URLS: '' });
  expect(files.config?.snapshotDirectory).toBeUndefined();
  expect(files.warnings).toEqual([
    expect.stringMatching(/CONFIG_SNAPSHOT_PATH has no effect: files are on a disk/),
  ]);
});
