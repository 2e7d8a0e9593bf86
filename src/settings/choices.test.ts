import { expect, it } from 'vitest';
import { choices } from './choices.ts';

const type = choices({ FILE: 'file', GRPC_XDS_SOTW: 'xds' });

it.each([
  ['FILE', ['file']],
  ['grpc_xds_sotw', ['xds']],
  ['FILE,GRPC_XDS_SOTW', ['file', 'xds']],
  ['grpc_xds_sotw , file', ['xds', 'file']],
])('%s', (text, value) => {
  expect(type.parse(text)).toEqual({ ok: true, value });
  expect(type.format(value as ('file' | 'xds')[])).toBe(text.toUpperCase().replaceAll(' ', ''));
});

it.each([
  ['ETCD', 'one or more of FILE, GRPC_XDS_SOTW, parted by commas'],
  ['FILE,', 'one or more of FILE, GRPC_XDS_SOTW, parted by commas'],
  ['FILE,file', 'a list in which no word is there twice'],
])('%s is none', (text, expected) => {
  expect(type.parse(text)).toEqual({ ok: false, expected });
});
