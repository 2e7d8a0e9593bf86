import { describe, expect, it } from 'vitest';
import { createLogger } from '../log.ts';
import type { BreakerState, RedisStoreEvent } from '../store/redis/store-event.ts';
import { createStoreLog } from './store-log.ts';

/** What a log writes about events, each so many ms after the start: level, message and node. */
function lines(
  events: readonly (readonly [ms: number, event: RedisStoreEvent])[],
): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const destination = { write: (line: string) => written.push(JSON.parse(line)) };
  const listener = createStoreLog({
    log: createLogger({ level: 'info', format: 'json', destination, clock }),
    clock,
  });
  for (const [ms, event] of events) {
    now = ms;
    listener(event);
  }
  return written;
}

const node = 'r:6379';
const pool = 'redis';
const usable: RedisStoreEvent = { kind: 'usable', pool, node, scriptFlags: true };
const unusable: RedisStoreEvent = {
  kind: 'unusable',
  pool,
  node,
  errorKind: 'connection',
  message: 'refused',
};
const failed: RedisStoreEvent & { kind: 'error' } = {
  kind: 'error',
  pool,
  node,
  errorKind: 'cluster',
  hits: 2,
  message: 'CLUSTERDOWN',
};

describe('createStoreLog()', () => {
  it('says once that a node was connected', () => {
    expect(lines([[0, usable]])).toMatchObject([
      { level: 'info', node, '@message': 'connected to the store' },
    ]);
  });

  it('says when a node is lost, while that lasts once in an interval, and when it is back', () => {
    const written = lines([
      [0, usable],
      [5_000, unusable],
      [6_000, unusable],
      [14_999, unusable],
      [15_000, unusable],
      [16_000, usable],
    ]);
    expect(written.map((line) => [line['level'], line['@message'], line['suppressed']])).toEqual([
      ['info', 'connected to the store', undefined],
      ['error', 'a node of the store cannot be used', 0],
      ['error', 'a node of the store cannot be used', 2],
      ['info', 'a node of the store can be used again', undefined],
    ]);
  });

  it('stays short when a node comes and goes', () => {
    const flapping = Array.from(
      { length: 1_000 },
      (_, index) => [index, index % 2 ? usable : unusable] as const,
    );
    expect(lines(flapping).map((line) => line['@message'])).toEqual([
      'a node of the store cannot be used',
      'a node of the store can be used again',
      'connected to the store',
    ]);
  });

  it('K06: a cluster that is down is one line in an interval, not one for each request', () => {
    const errors = Array.from({ length: 25_000 }, (_, index) => [index, failed] as const);
    const written = lines(errors);
    expect(written.map((line) => [line['level'], line['reason'], line['suppressed']])).toEqual([
      ['warning', 'CLUSTERDOWN', 0],
      ['warning', 'CLUSTERDOWN', 9_999],
      ['warning', 'CLUSTERDOWN', 9_999],
    ]);
  });

  it('keeps kinds of errors and nodes apart', () => {
    const other: RedisStoreEvent = { ...failed, node: 's:6379' };
    const late: RedisStoreEvent = { ...failed, errorKind: 'timeout' };
    expect(
      lines([
        [0, failed],
        [1, other],
        [2, late],
        [3, failed],
      ]),
    ).toHaveLength(3);
  });

  it('says that hits could not be given back', () => {
    expect(lines([[0, { kind: 'compensation-lost', pool, node, hits: 3 }]])).toMatchObject([
      { level: 'warning', node, hits: 3 },
    ]);
  });

  it('says when a breaker opens and closes; how it finds out is for debug', () => {
    const change = (from: BreakerState, to: BreakerState): RedisStoreEvent => {
      return { kind: 'breaker', pool, node, from, to, cause: 'timeout', reason: 'no answer' };
    };
    const written = lines([
      [0, change('closed', 'open')],
      [1_000, change('open', 'half-open')],
      [1_020, change('half-open', 'open')],
      [2_000, change('open', 'half-open')],
      [2_001, change('half-open', 'closed')],
    ]);
    expect(written).toMatchObject([
      { level: 'error', node, to: 'open', cause: 'timeout', reason: 'no answer' },
      { level: 'info', node, from: 'half-open', to: 'closed' },
    ]);
  });

  it('F10: warns of a node that drops counters, once in an interval', () => {
    const evicting: RedisStoreEvent = { kind: 'evicting', pool, node, policy: 'allkeys-lru' };
    expect(
      lines([
        [0, evicting],
        [10, evicting],
      ]),
    ).toMatchObject([{ level: 'warning', node, policy: 'allkeys-lru' }]);
  });

  it('says nothing about what goes well', () => {
    const call: RedisStoreEvent = { kind: 'call', pool, node, hits: 1, operations: 1, ms: 1 };
    expect(
      lines([
        [0, { kind: 'opened', pool, node }],
        [0, call],
        [1, { kind: 'closed', pool, node }],
      ]),
    ).toEqual([]);
  });
});
