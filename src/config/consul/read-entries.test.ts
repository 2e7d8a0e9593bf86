import { expect, it } from 'vitest';
import { readConsulEntries } from './read-entries.ts';

const read = (text: string) =>
  [...readConsulEntries(Buffer.from(text))].map(({ key, value }) => [key, Buffer.from(value).toString()]);

it('reads keys and values', () => {
  const list = [
    { LockIndex: 0, Key: 'weir/', Flags: 0, Value: null, CreateIndex: 5, ModifyIndex: 5 },
    { LockIndex: 0, Key: 'weir/shop', Flags: 0, Value: 'ZG9tYWluOiBzaG9w', CreateIndex: 7, ModifyIndex: 9 },
  ];
  expect(read(JSON.stringify(list))).toEqual([
    ['weir/', ''],
    ['weir/shop', 'domain: shop'],
  ]);
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
