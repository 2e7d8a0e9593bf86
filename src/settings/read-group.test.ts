import { describe, expect, it } from 'vitest';
import { readHttpAddress, readRulesSettings } from './read-group.ts';

/** What would end the start of `serve`. */
const bad = { REDIS_URL: 'redis.example:port', STATSD_PORT: 'many', GRPC_PORT: 'tcp://10.0.0.7:8081' };

describe('readRulesSettings', () => {
  it('reads its own variables, and no others', () => {
    const env = {
      ...bad,
      PORT: 'x',
      RUNTIME_ROOT: '/srv',
      RUNTIME_SUBDIRECTORY: 'a',
      MERGE_DOMAIN_CONFIG: 't',
    };
    expect(readRulesSettings(env)).toEqual({
      settings: {
        root: '/srv',
        directory: '/srv/a/config',
        ignoreDotFiles: true,
        mergeDomains: true,
        sensitive: { everywhere: false, key: undefined },
      },
    });
  });

  it('needs no secret for sensitive values', () => {
    expect(readRulesSettings({ SENSITIVE_VALUES: 'true' })).toMatchObject({
      settings: { sensitive: { everywhere: true, key: undefined } },
    });
  });

  it('says all that is wrong with them', () => {
    const read = readRulesSettings({ MERGE_DOMAIN_CONFIG: 'yes', RUNTIME_IGNOREDOTFILES: 'no' });
    expect('errors' in read && read.errors.map(({ variable }) => variable).sort()).toEqual([
      'MERGE_DOMAIN_CONFIG',
      'RUNTIME_IGNOREDOTFILES',
    ]);
  });
});

describe('readHttpAddress', () => {
  it('reads its own variables, and no others', () => {
    expect(readHttpAddress({ ...bad, RUNTIME_IGNOREDOTFILES: 'no', HOST: '[::1]', PORT: '1' })).toMatchObject(
      {
        settings: { host: '::1', port: 1 },
      },
    );
  });

  it('refuses what Kubernetes writes into PORT', () => {
    expect(readHttpAddress({ PORT: 'tcp://10.0.0.7:8080' })).toMatchObject({
      errors: [{ variable: 'PORT', message: expect.stringContaining('enableServiceLinks') }],
    });
  });
});
