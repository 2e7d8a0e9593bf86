import { describe, expect, it } from 'vitest';
import { chartValues, chartValuesTable } from './chart-values-table.ts';

const text = `# About the file.

# The first.
first: ""
group:
  # Two
  # lines.
  inner: [1, "a"]
  # A map that is one value.
  map: { a: 1 }
# Nothing.
empty: null
`;

describe('chartValues', () => {
  it('has each key with a comment above it, in the order of the file', () => {
    expect(chartValues(text)).toEqual([
      { path: 'first', default: '""', meaning: 'The first.' },
      { path: 'group.inner', default: '[1,"a"]', meaning: 'Two lines.' },
      { path: 'group.map', default: '{"a":1}', meaning: 'A map that is one value.' },
      { path: 'empty', default: 'null', meaning: 'Nothing.' },
    ]);
  });

  it.each([
    ['a value without a comment', 'a:\n  b: 1\n', 'a.b has no comment'],
    ['what is no map', '- a\n', 'values.yaml is no map'],
  ])('refuses %s', (_, values, problem) => {
    expect(() => chartValues(values)).toThrow(problem);
  });
});

describe('chartValuesTable', () => {
  it('is a row for each', () => {
    expect(chartValuesTable(text).split('\n').slice(2, 4)).toEqual([
      '| `first` | `""` | The first. |',
      '| `group.inner` | `[1,"a"]` | Two lines. |',
    ]);
  });
});
