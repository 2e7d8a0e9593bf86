import { describe, expect, it } from 'vitest';
import { ResponseTimes } from './response-times.ts';

const call = { protocol: 'grpc', method: 'ShouldRateLimit', isStream: false, code: 'OK' } as const;

describe('response times for statsd', () => {
  it('are taken once, in ms', () => {
    const times = new ResponseTimes();
    times.add({ ...call, seconds: 0.001_234_5 });
    times.add({ ...call, method: 'Check', seconds: 2 });
    expect([...times.take()]).toEqual([
      { kind: 'timer', name: 'ratelimit_server.ShouldRateLimit.response_time', value: 1.234 },
      { kind: 'timer', name: 'ratelimit_server.Check.response_time', value: 2_000 },
    ]);
    expect([...times.take()]).toEqual([]);
  });

  it.each([{ protocol: 'http' } as const, { isStream: true }])('are not those of %j', (other) => {
    const times = new ResponseTimes();
    times.add({ ...call, ...other, seconds: 1 });
    expect([...times.take()]).toEqual([]);
  });

  it('of very many, a bounded number from all of the time is kept', () => {
    const times = new ResponseTimes();
    for (let i = 0; i < 50_000; i++) times.add({ ...call, seconds: i / 1_000 });
    const kept = [...times.take()].map(({ value }) => value);
    expect(kept).toHaveLength(1_000);
    expect(new Set(kept).size).toBe(1_000);
    // A thousand of fifty thousand at random: that a quarter has fewer than a hundred of them does not happen.
    for (const quarter of [0, 1, 2, 3]) {
      const inQuarter = kept.filter((ms) => Math.floor(ms / 12_500) === quarter);
      expect(inQuarter.length).toBeGreaterThan(100);
    }
  });
});
