import { describe, expect, it } from 'vitest';
import { anonymous } from '../../src/domain/caller.ts';
import type { Decision } from '../../src/domain/decision.ts';
import { createLimiter } from '../../src/limiter/limiter.ts';
import { createLogger } from '../../src/log.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createDecisionLog } from '../../src/telemetry/decision-log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { baseRules } from '../support/case-rules.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { defaultLimiterOptions, rulesOf } from '../support/limiter-fixture.ts';
import { descriptor, request } from '../support/requests.ts';
import { scrape } from '../support/scrape.ts';

const calls = 100_000;
const maxCounters = 1_000;
/** Room for 625 keys that have no characters. */
const denyCache = { maxBytes: 100_000, lookAgainMs: 500 };

/** A limiter with everything that listens to it, on a clock that stands still, and what they all keep. */
function startBounded() {
  const clock = fakeClock();
  const rules = rulesOf(baseRules);
  const store = createMemoryStore({ clock, maxCounters });
  const metrics = createMetrics({ withProcess: false });
  const lines: string[] = [];
  const log = createLogger({
    level: 'info',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
  });
  const limiter = createLimiter({
    ...defaultLimiterOptions,
    rules: () => rules,
    store,
    clock,
    denyCache,
    listeners: [metrics.listener, createDecisionLog({ log, clock, explain: () => '' })],
  });
  return {
    decide: async (...asked: Parameters<typeof request>) =>
      (await limiter.decide(request(...asked), undefined, anonymous)) as Decision,
    kept: async () => ({
      series: (await scrape(metrics)).size,
      counters: store.size,
      denied: limiter.denyCacheSize(),
      lines: lines.length,
    }),
  };
}

describe('what callers make up takes no more room than there is', () => {
  it('T01: limits of requests, each for another address and half of them denied', async () => {
    const { decide, kept } = startBounded();
    const { series } = await kept();
    for (let i = 0; i < calls; i++) {
      const limit = [i % 2 === 0 ? 1_000 : 0, 'MINUTE'] as const;
      const { overallCode } = await decide('shop', [descriptor(`ip=address ${i}`, { limit })]);
      expect(overallCode).toBe(i % 2 === 0 ? 'OK' : 'OVER_LIMIT');
    }
    const { denied, ...others } = await kept();
    expect(others).toEqual({ series, counters: maxCounters, lines: 1 });
    expect(denied).toBeGreaterThan(100);
    expect(denied).toBeLessThan(625);
  });

  it('T01: addresses with a rule', async () => {
    const { decide, kept } = startBounded();
    // As many as it takes for the rule to have all of its series.
    for (let i = 0; i < 1_000; i++) await decide('shop', [descriptor(`ip=warm ${i}`)]);
    const { series } = await kept();
    for (let i = 0; i < calls; i++) await decide('shop', [descriptor(`ip=address ${i}`)]);
    expect(await kept()).toEqual({ series, counters: maxCounters, denied: 0, lines: 0 });
  });

  it('T02: domains that nobody configured', async () => {
    const { decide, kept } = startBounded();
    const { series } = await kept();
    for (let i = 0; i < calls; i++) {
      expect((await decide(`domain ${i}`, [descriptor('ip=x')])).overallCode).toBe('OK');
    }
    // Of so many domains a few are named in the log.
    expect(await kept()).toEqual({ series, counters: 0, denied: 0, lines: 20 });
  });
});
