import { describe, expect, it } from 'vitest';
import { createHealth, type HealthEvent, type HealthOptions } from './health.ts';

/** Events by the words of the table below. */
const events: Readonly<Record<string, HealthEvent>> = {
  loaded: { kind: 'config-loaded', domains: 2 },
  emptied: { kind: 'config-loaded', domains: 0 },
  answered: { kind: 'store-answered' },
  waited: { kind: 'store-wait-over' },
  lost: { kind: 'store-connection', isConnected: false },
  back: { kind: 'store-connection', isConnected: true },
  sigterm: { kind: 'stopping' },
};

const defaults: HealthOptions = { startsWithoutConfig: false, needsDomain: false, needsConnection: false };

function outcomeOf(happened: string, options: Partial<HealthOptions> = {}) {
  const health = createHealth({ ...defaults, ...options });
  for (const word of happened.split(' ').filter(Boolean)) health.report(events[word] as HealthEvent);
  return health.isReady() ? 'ready' : health.down().join(' ');
}

describe('D02: health after each sequence of events', () => {
  it.each([
    ['', 'config store'],
    ['answered', 'config'],
    ['waited', 'config'],
    ['loaded', 'store'],
    ['loaded answered', 'ready'],
    ['answered loaded', 'ready'],
    ['loaded waited', 'ready'], // Redis away at the start: the failure policy decides
    ['emptied answered', 'ready'], // an empty directory is a good configuration
    ['loaded answered emptied', 'ready'],
    ['loaded answered lost', 'ready'], // an outage unlists no replica
    ['loaded answered lost back', 'ready'],
    ['loaded lost', 'store'],
    ['sigterm', 'config store running'],
    ['loaded answered sigterm', 'running'],
    ['loaded answered sigterm loaded answered', 'running'], // there is no way back
  ])('"%s": %s', (happened, expected) => {
    expect(outcomeOf(happened)).toBe(expected);
  });

  it.each([
    ['', 'store'],
    ['answered', 'ready'],
    ['waited', 'ready'],
    ['answered sigterm', 'running'],
  ])('FORCE_START_WITHOUT_INITIAL_CONFIG, "%s": %s', (happened, expected) => {
    expect(outcomeOf(happened, { startsWithoutConfig: true })).toBe(expected);
  });

  it.each([
    ['answered', 'config'],
    ['answered emptied', 'config'],
    ['answered loaded', 'ready'],
    ['answered loaded emptied', 'config'],
    ['answered loaded emptied loaded', 'ready'],
  ])('HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED, "%s": %s, with a forced start too', (happened, expected) => {
    expect(outcomeOf(happened, { needsDomain: true })).toBe(expected);
    expect(outcomeOf(happened, { needsDomain: true, startsWithoutConfig: true })).toBe(expected);
  });

  it.each([
    ['loaded', 'store'],
    ['loaded waited', 'store'],
    ['loaded waited back', 'ready'],
    ['loaded answered', 'ready'],
    ['loaded answered lost', 'store'],
    ['loaded answered lost back', 'ready'],
  ])('REDIS_HEALTH_CHECK_ACTIVE_CONNECTION, "%s": %s', (happened, expected) => {
    expect(outcomeOf(happened, { needsConnection: true })).toBe(expected);
  });
});

describe('watching health', () => {
  it('tells each change of readiness once, until it is told to stop', () => {
    const health = createHealth(defaults);
    const told: boolean[] = [];
    const unsubscribe = health.subscribe((isReady) => told.push(isReady));
    for (const word of ['loaded', 'loaded', 'answered', 'answered', 'lost', 'sigterm', 'sigterm']) {
      health.report(events[word] as HealthEvent);
    }
    expect(told).toEqual([true, false]);
    unsubscribe();
    expect(told).toEqual([true, false]);
  });

  it('tells nothing to who has stopped listening, also while it tells others', () => {
    const health = createHealth({ ...defaults, startsWithoutConfig: true });
    const told: string[] = [];
    const unsubscribeFirst = health.subscribe(() => {
      told.push('first');
      unsubscribeFirst();
    });
    health.subscribe(() => told.push('second'));
    health.report({ kind: 'store-answered' });
    health.report({ kind: 'stopping' });
    expect(told).toEqual(['first', 'second', 'second']);
  });
});
