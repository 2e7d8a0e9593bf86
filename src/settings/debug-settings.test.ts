import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { Environment } from './read-values.ts';

const memory = { BACKEND_TYPE: 'memory' };
const open = { DEBUG_HOST: '0.0.0.0' };
const text = 'correct-horse-battery-staple';
const token = { DEBUG_TOKEN: text };
const tokenFile = { DEBUG_TOKEN_FILE: '/run/secrets/token' };
const tls = { DEBUG_TLS_CERT: '/c.pem', DEBUG_TLS_KEY: '/k.pem' };
const mutual = { ...tls, DEBUG_TLS_CLIENT_CACERT: '/ca.pem' };

const read = (env: Environment) => readSettings({ ...memory, ...env });

describe('the debug listener', () => {
  it.each<[Environment, object]>([
    [{}, { host: '127.0.0.1', port: 6070, isLoopback: true, token: undefined, tls: undefined }],
    [{ DEBUG_HOST: '[::1]' }, { host: '::1', isLoopback: true }],
    [{ DEBUG_HOST: 'localhost' }, { isLoopback: true }],
    [token, { token: { kind: 'given' } }],
    [tokenFile, { token: { kind: 'file', file: '/run/secrets/token' } }],
    [tls, { tls: { certFile: '/c.pem', keyFile: '/k.pem', clientCaFile: undefined } }],
    [
      { ...open, ...mutual },
      { isLoopback: false, tls: { clientCaFile: '/ca.pem' } },
    ],
    [
      { ...open, ...tls, ...tokenFile },
      { isLoopback: false, token: { kind: 'file' } },
    ],
  ])('%o, and nothing to warn of', (env, expected) => {
    expect(read(env)).toMatchObject({ settings: { debug: expected }, warnings: [] });
  });

  it('X06: open to others, and nobody is asked who they are: a warning that says what to set', () => {
    const expected = [
      'DEBUG_TOKEN_FILE',
      'DEBUG_TOKEN',
      'DEBUG_TLS_CERT',
      'DEBUG_TLS_KEY',
      'DEBUG_TLS_CLIENT_CACERT',
      '127.0.0.1',
    ];
    for (const env of [open, { DEBUG_HOST: '::' }, { DEBUG_HOST: 'weir.local' }, { ...open, ...tls }]) {
      const { warnings } = read(env);
      expect(warnings.map(({ variable }) => variable)).toEqual(['DEBUG_HOST']);
      for (const part of expected) expect(warnings[0]?.message).toContain(part);
    }
  });

  it.each([
    [token, 'DEBUG_TOKEN'],
    [tokenFile, 'DEBUG_TOKEN_FILE'],
  ])('%o that travels in clear text: a warning', (env, variable) => {
    expect(read({ ...open, ...env })).toMatchObject({
      warnings: [{ variable, message: expect.stringContaining('set DEBUG_TLS_CERT and DEBUG_TLS_KEY') }],
    });
  });

  it.each<[Environment, string]>([
    [{ ...token, ...tokenFile }, 'DEBUG_TOKEN_FILE contradicts DEBUG_TOKEN. Remove one of them.'],
    [{ DEBUG_TLS_CERT: '/c.pem' }, 'DEBUG_TLS_KEY must name a file'],
    [{ DEBUG_TLS_KEY: '/k.pem' }, 'DEBUG_TLS_CERT must name a file'],
    [{ DEBUG_TOKEN: 'too-short' }, 'DEBUG_TOKEN must be 16 characters or more'],
    [{ DEBUG_TOKEN: `${text} ${text}` }, 'DEBUG_TOKEN must be 16 characters or more'],
    [{ DEBUG_TOKEN: `${text}é` }, 'DEBUG_TOKEN must be 16 characters or more'],
    [{ DEBUG_TOKEN_FILE: text }, 'DEBUG_TOKEN_FILE: it must be a path that begins with / or ./'],
    [{ HTTP_MAX_CONNECTIONS: '0' }, 'HTTP_MAX_CONNECTIONS must be'],
  ])('%o is refused', (env, message) => {
    expect(read(env)).toHaveProperty('errors', [
      { variable: expect.any(String), message: expect.stringContaining(message) },
    ]);
  });

  it('an authority for clients without a certificate is refused: it would protect nothing', () => {
    expect(read({ DEBUG_TLS_CLIENT_CACERT: '/ca.pem' })).toMatchObject({
      errors: [{ variable: 'DEBUG_TLS_CERT' }, { variable: 'DEBUG_TLS_KEY' }],
    });
  });

  it('X05: a token is not seen, wherever it was put', () => {
    for (const env of [
      token,
      { DEBUG_TOKEN: `${text} ` },
      { DEBUG_TOKEN_FILE: text },
      { ...open, ...token },
    ]) {
      expect(JSON.stringify(read(env))).not.toContain(text);
    }
    expect(read(token)).toMatchObject({ settings: { inForce: { DEBUG_TOKEN: '***' } } });
  });
});
