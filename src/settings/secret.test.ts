import { format, inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from './deep-freeze.ts';
import { createSecret } from './secret.ts';

describe('createSecret', () => {
  const secret = deepFreeze(createSecret('hunter2', 'redis://***@host'));

  it('reveals the text when asked', () => {
    expect(secret.reveal()).toBe('hunter2');
  });

  it.each([
    ['in a template', `${secret}`],
    ['as JSON', JSON.stringify({ secret })],
    ['inspected', inspect({ secret }, { depth: 9, showHidden: true })],
    ['formatted as a text', format('%s', secret)],
    ['formatted as an object', format('%O', { secret })],
    ['with all its properties', JSON.stringify(Object.entries(secret))],
  ])('shows only the rest %s', (_, shown) => {
    expect(shown).toContain('redis://***@host');
    expect(shown).not.toContain('hunter2');
  });

  it('hides everything unless told otherwise', () => {
    expect(createSecret('hunter2').shown).toBe('***');
  });
});
