import { expect, it } from 'vitest';
import { addressText } from '../../domain/ip-text.ts';
import { octetsOf } from '../../domain/octets.ts';
import { requestAddress } from './request-address.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:80', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ['[2001:DB8::1]', '2001:db8::1'],
  ['[2001:db8::1]:65535', '2001:db8::1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::1', '::1'],
])('the value %s is the address %s', (value, address) => {
  const found = requestAddress(octetsOf(value));
  expect(found && addressText(found)).toBe(address);
});

const withPorts = [
  '192.0.2.1:',
  '192.0.2.1:http',
  '192.0.2.1:123456',
  'host:80',
  ':80',
  '[::1]:',
  '[::1]80',
  '[::1',
  '[]',
];
const others = [
  '',
  'alice',
  '[192.0.2.1]',
  '[192.0.2.1]:80',
  '192.0.2.1, 192.0.2.2',
  ' 192.0.2.1',
  '192.0.2.010',
  'é',
];
it.each([...withPorts, ...others])('the value %j is no address', (value) => {
  expect(requestAddress(octetsOf(value))).toBeUndefined();
});
