import { expect, it } from 'vitest';
import { channelCredentials } from './channel-credentials.ts';

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
