import { expect, it } from 'vitest';
import { hostOf } from './server-credentials.ts';

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
