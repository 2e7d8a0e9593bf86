import { describe, expect, it } from 'vitest';
import { createHealth, type HealthEvent, type HealthOptions } from '../../../src/health.ts';
import { readText, sectionOf, tableRows } from './repository.ts';

const usual: HealthOptions = { startsWithoutConfig: false, needsDomain: false, needsConnection: false };
const loaded: HealthEvent = { kind: 'config-loaded', domains: 1 };
const answered: HealthEvent = { kind: 'store-answered' };
const lost: HealthEvent = { kind: 'store-connection', isConnected: false };

interface Situation {
  /** First cell of its row. */
  readonly row: string;
  readonly events: readonly HealthEvent[];
  readonly options?: HealthOptions;
}

const situations: readonly Situation[] = [
  { row: 'the listeners are open, nothing else yet', events: [] },
  {
    row: 'rules are loaded, and the store answered once or `STORE_WAIT` has passed',
    events: [loaded, answered],
  },
  { row: 'the store goes away after that', events: [loaded, answered, lost] },
  {
    row: 'the same with `REDIS_HEALTH_CHECK_ACTIVE_CONNECTION=true`',
    events: [loaded, answered, lost],
    options: { ...usual, needsConnection: true },
  },
  { row: 'a bad update; the rules before it stay', events: [loaded, answered] },
  { row: 'SIGTERM', events: [loaded, answered, { kind: 'stopping' }] },
];

describe('docs/operations.md, health', () => {
  const rows = tableRows(sectionOf(readText('docs/operations.md'), '## Health'));

  it.each(situations)('$row', ({ row, events, options = usual }) => {
    const health = createHealth(options);
    for (const event of events) health.report(event);
    const cells = health.isReady() ? ['200', '200', '200', 'SERVING'] : ['200', '503', '500', 'NOT_SERVING'];
    expect(rows).toContainEqual([row, ...cells]);
  });

  it('has no row beside these', () => {
    expect(rows.map(([row]) => row)).toEqual(situations.map(({ row }) => row));
  });

  it('counts waiting for the store long enough like its answer', () => {
    const health = createHealth(usual);
    health.report(loaded);
    health.report({ kind: 'store-wait-over' });
    expect(health.isReady()).toBe(true);
  });
});
