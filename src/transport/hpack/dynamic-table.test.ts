import { describe, expect, it } from 'vitest';
import { DynamicTable } from './dynamic-table.ts';

/** A table with entries of 34 octets. */
function tableOf(bound: number, names: string): DynamicTable {
  const table = new DynamicTable(bound);
  for (const name of names) table.add(name, '1');
  return table;
}

/** The names from the newest entry on. */
function namesOf(table: DynamicTable): string {
  let names = '';
  for (let index = 0; ; index++) {
    const field = table.at(index);
    if (field === undefined) return names;
    names += field[0];
  }
}

describe('an entry', () => {
  it('is found by its age', () => {
    const table = tableOf(4_096, 'abc');
    expect(table.at(0)).toEqual(['c', '1']);
    expect(table.at(2)).toEqual(['a', '1']);
    expect(table.at(3)).toBeUndefined();
  });

  it('counts for its octets and 32: RFC 7541, 4.1', () => {
    expect(namesOf(tableOf(102, 'abc'))).toBe('cba');
    expect(namesOf(tableOf(101, 'abc'))).toBe('cb');
  });

  it('is evicted when it is the oldest and a new one needs room: RFC 7541, 4.4', () => {
    const table = tableOf(102, 'abc');
    table.add('d', 'x'.repeat(35));
    expect(namesOf(table)).toBe('dc');
    table.add('e', 'x'.repeat(69));
    expect(namesOf(table)).toBe('e');
  });

  it('that fits in no table empties it: RFC 7541, 4.4', () => {
    const table = tableOf(102, 'abc');
    table.add('d', 'x'.repeat(70));
    expect(namesOf(table)).toBe('');
    table.add('e', '1');
    expect(namesOf(table)).toBe('e');
  });

  it('is still found after any number of others', () => {
    const table = new DynamicTable(4_096);
    const names: string[] = [];
    for (let i = 0; i < 1_000; i++) {
      const name = String(i).padEnd(i % 50, '.');
      table.add(name, '');
      names.unshift(name);
      let [kept, size] = [0, 0];
      for (; size + (names[kept]?.length ?? 4_096) + 32 <= 4_096; kept++) {
        size += (names[kept] as string).length + 32;
      }
      expect(table.at(0)?.[0]).toBe(names[0]);
      expect(table.at(kept - 1)?.[0]).toBe(names[kept - 1]);
      expect(table.at(kept)).toBeUndefined();
    }
  });

  it('without octets fills the table 128 times', () => {
    const table = new DynamicTable(4_096);
    for (let i = 0; i < 129; i++) table.add('', '');
    expect(table.at(127)).toEqual(['', '']);
    expect(table.at(128)).toBeUndefined();
  });
});

describe('resize', () => {
  it('evicts what is too much: RFC 7541, 4.3', () => {
    const table = tableOf(4_096, 'abc');
    expect(table.resize(68)).toBe(true);
    expect(namesOf(table)).toBe('cb');
    expect(table.resize(4_096)).toBe(true);
    table.add('d', '1');
    expect(namesOf(table)).toBe('dcb');
    expect(table.resize(0)).toBe(true);
    table.add('e', '');
    expect(namesOf(table)).toBe('');
  });

  it('does not exceed the bound at first', () => {
    const table = tableOf(256, 'a');
    expect(table.resize(257)).toBe(false);
    expect(table.resize(256)).toBe(true);
  });
});

it('its generation changes with its entries and its bound', () => {
  const table = new DynamicTable(100);
  const changed = (change: () => void) => {
    const before = table.generation;
    change();
    return table.generation !== before;
  };
  expect(changed(() => table.add('a', '1'))).toBe(true);
  expect(changed(() => table.at(0))).toBe(false);
  expect(changed(() => table.resize(100))).toBe(false);
  expect(changed(() => table.resize(99))).toBe(true);
  expect(changed(() => table.resize(10))).toBe(true);
  expect(changed(() => table.resize(101))).toBe(false);
  expect(changed(() => table.resize(100))).toBe(true);
  expect(changed(() => table.add('a', 'x'.repeat(100)))).toBe(false);
  expect(changed(() => table.add('a', '1'))).toBe(true);
  expect(changed(() => table.add('a', 'x'.repeat(100)))).toBe(true);
});

it('its generation changes when an equal entry is added, since indices move', () => {
  const table = tableOf(34, 'a');
  const before = table.generation;
  table.add('a', '1');
  expect(table.generation).not.toBe(before);
});
