import { describe, expect, it } from 'vitest';
import { redisErrorRows } from '../../../src/store/redis/redis-error.ts';
import type { StoreErrorKind } from '../../../src/store/store-error.ts';
import { codeIn, readText, sectionOf, tableRows } from './repository.ts';

describe('docs/operations.md, what to do when', () => {
  it('has a line for every kind of store error', () => {
    const section = sectionOf(readText('docs/operations.md'), '## What to do when');
    const listed = tableRows(section).map(([kind = '']) => codeIn(kind)[0]);
    // Those without a row come from the store itself.
    const own: readonly StoreErrorKind[] = ['timeout', 'overload', 'breaker', 'other'];
    const kinds = new Set([...redisErrorRows.map(({ kind }) => kind), ...own]);
    expect(listed.sort()).toEqual([...kinds].sort());
  });
});
