import { describe, expect, it } from 'vitest';
import { parseGoBool } from './go-bool.ts';

describe('parseGoBool', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('%s is true', (text) => {
    expect(parseGoBool(text)).toEqual({ ok: true, value: true });
  });

  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False'])('%s is false', (text) => {
    expect(parseGoBool(text)).toEqual({ ok: true, value: false });
  });

  it.each(['', 'yes', 'no', 'on', 'off', 'tRUE', 'TrUe', ' true', 'true\n', '2', '01', 'constructor'])(
    '%j is neither',
    (text) => {
      expect(parseGoBool(text)).toMatchObject({
        ok: false,
        expected: expect.stringContaining('true or false'),
      });
    },
  );
});
