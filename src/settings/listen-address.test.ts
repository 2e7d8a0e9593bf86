import { describe, expect, it } from 'vitest';
import { bareHost, isLoopback, parseListenAddress } from './listen-address.ts';

describe('parseListenAddress', () => {
  it.each([
    [':9090', '', 9090],
    [':0', '', 0],
    [':09090', '', 9090],
    ['127.0.0.1:9090', '127.0.0.1', 9090],
    ['localhost:19001', 'localhost', 19_001],
    ['[::1]:9090', '::1', 9090],
    ['[::]:9090', '::', 9090],
    ['[fe80::1%eth0]:9090', 'fe80::1%eth0', 9090],
  ])('%s', (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ ok: true, value: { host, port } });
  });

  it.each([
    '9090',
    ':',
    ':http',
    '::1:9090',
    '[::1]',
    'host:65536',
    'host:-1',
    'host:0x50',
    'a b:1',
    'http://host:1',
  ])('not %s', (text) => {
    expect(parseListenAddress(text)).toMatchObject({ ok: false });
  });
});

describe('bareHost', () => {
  it.each([
    ['::', '::'],
    ['[::]', '::'],
    ['0.0.0.0', '0.0.0.0'],
  ])('%s is %s', (host, bare) => {
    expect(bareHost(host)).toBe(bare);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost'])(
    '%s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '::',
    '',
    '10.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    'weir',
    '127.example',
    'x.localhost',
  ])('not "%s"', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
