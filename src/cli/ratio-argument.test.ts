import { expect, it } from 'vitest';
import { boolArgument } from './bool-argument.ts';
import { ratioArgument } from './ratio-argument.ts';

it.each([
  ['0', 0],
  ['0.8', 0.8],
  ['.5', 0.5],
  ['1', 1],
])('%s is a ratio', (text, value) => {
  expect(ratioArgument(text)).toBe(value);
});

it.each(['', '1.1', '-0.1', '80%', '1e-1', '1.', 'NaN'])('%j is no ratio', (text) => {
  expect(() => ratioArgument(text)).toThrow('It must be a number from 0 to 1, such as 0.8.');
});

it('only true and false are what they are', () => {
  expect(['true', 'false'].map(boolArgument)).toEqual([true, false]);
  for (const text of ['', 'yes', '1', 'TRUE'])
    expect(() => boolArgument(text)).toThrow('It must be true or false.');
});
