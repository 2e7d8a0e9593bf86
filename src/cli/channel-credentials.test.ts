import { expect, it } from 'vitest';
import { channelCredentials, hostOf } from './channel-credentials.ts';

it.each([
  ['localhost:8081', 'localhost'],
  ['localhost', 'localhost'],
  ['127.0.0.1:8081', '127.0.0.1'],
  ['[::1]:8081', '::1'],
  ['[::1]', '::1'],
  ['::1', '::1'],
  ['dns:weir.test:8081', 'weir.test'],
  ['dns:///weir.test:8081', 'weir.test'],
  ['dns://192.0.2.53/weir.test:8081', 'weir.test'],
  ['ipv4:192.0.2.1:8081', '192.0.2.1'],
  ['ipv6:[2001:db8::1]:8081', '2001:db8::1'],
])('the host of %s is %s', (target, host) => {
  expect(hostOf(target)).toBe(host);
});

it.each([
  [{}, false],
  [{ tls: true }, true],
  [{ serverName: 'weir.test' }, true],
  [{ serverName: '192.0.2.1' }, true],
])('%o: TLS %s', (options, isSecure) => {
  expect(channelCredentials('localhost:8081', options)._isSecure()).toBe(isSecure);
});

it.each([
  [{ ca: '/none/ca.crt' }, '--ca: /none/ca.crt cannot be read (ENOENT)'],
  [{ cert: '/none/a.crt' }, '--cert and --key go together'],
  [{ key: '/none/a.key' }, '--cert and --key go together'],
  [{ cert: import.meta.filename, key: '/none/a.key' }, '--key: /none/a.key cannot be read (ENOENT)'],
  [
    { cert: import.meta.filename, key: import.meta.filename },
    'the files of --ca, --cert and --key cannot be used: ',
  ],
])('%o cannot be used', (options, sentence) => {
  expect(() => channelCredentials('localhost:8081', options)).toThrow(sentence);
});
