import { expect, it } from 'vitest';
import { keptConcat, keptCopy } from './kept-octets.ts';

it.each([
  ['a copy', keptCopy(Buffer.from('kept or not').subarray(0, 4))],
  ['some together', keptConcat([Buffer.from('ke'), Buffer.from('pt or not')], 4)],
])('%s: those octets, and no memory besides', (_, octets) => {
  expect(octets.toString()).toBe('kept');
  expect(octets.buffer.byteLength).toBe(4);
});
