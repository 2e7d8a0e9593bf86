import { expect, it } from 'vitest';
import { readConsulEntries } from './read-entries.ts';

const read = (text: string) =>
  [...readConsulEntries(Buffer.from(text))].map(({ key, value }) => [key, Buffer.from(value).toString()]);

it('reads keys and values, and leaves folders out', () => {
  const list = [
    { LockIndex: 0, Key: 'weir/', Flags: 0, Value: null, CreateIndex: 5, ModifyIndex: 5 },
    { LockIndex: 0, Key: 'weir/empty', Flags: 0, Value: null, CreateIndex: 6, ModifyIndex: 6 },
    { LockIndex: 0, Key: 'weir/shop', Flags: 0, Value: 'ZG9tYWluOiBzaG9w', CreateIndex: 7, ModifyIndex: 9 },
  ];
  expect(read(JSON.stringify(list))).toEqual([
    ['weir/empty', ''],
    ['weir/shop', 'domain: shop'],
  ]);
});

it('gives each value memory of its own, and no more than it needs', () => {
  const list = [
    { Key: 'a', Value: 'ZG9tYWluOiBzaG9w' },
    { Key: 'b', Value: '' },
  ];
  const entries = [...readConsulEntries(Buffer.from(JSON.stringify(list)))];
  expect(entries.map(({ value }) => value.buffer.byteLength)).toEqual([12, 0]);
});

it('ends with the first file that is too many', () => {
  const keys = ['weir/', ...Array.from({ length: 20_000 }, (_, index) => `weir/${index}`)];
  const list = keys.map((Key) => ({ Key, Value: null }));
  expect(read(JSON.stringify(list)).at(-1)).toEqual(['weir/10000', '']);
});

it.each([
  ['<html>', /JSON/],
  ['{}', /no list/],
  ['[null]', /without a name/],
  ['[{"Key": 5, "Value": null}]', /without a name/],
  ['[{"Key": "a"}]', /or a value/],
  ['[{"Key": "a", "Value": {}}]', /or a value/],
])('refuses %s', (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});
