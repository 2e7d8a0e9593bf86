import { describe, expect, it } from 'vitest';
import { Sampler } from './log-sampler.ts';

const written = (suppressed = 0, suppressedOthers = 0) => ({ suppressed, suppressedOthers });

describe('Sampler', () => {
  it('lets one line of a subject pass in each interval, with the number left out since', () => {
    const sampler = new Sampler({ intervalMs: 1_000, maxSubjects: 10 });
    const times = [0, 1, 500, 999, 1_000, 1_001, 2_500];
    expect(times.map((time) => sampler.take('a', time))).toEqual([
      written(),
      undefined,
      undefined,
      undefined,
      written(3),
      undefined,
      written(1),
    ]);
  });

  it('keeps subjects apart', () => {
    const sampler = new Sampler({ intervalMs: 1_000, maxSubjects: 10 });
    expect(['a', 'b', 'a'].map((subject) => sampler.take(subject, 0))).toEqual([
      written(),
      written(),
      undefined,
    ]);
  });

  it('lets no more lines pass in an interval than there may be subjects, and says how many it left out', () => {
    const sampler = new Sampler({ intervalMs: 1_000, maxSubjects: 3 });
    let lines = 0;
    for (let index = 0; index < 100_000; index += 1) {
      if (sampler.take(`made up ${index}`, 0) !== undefined) lines += 1;
    }
    expect(lines).toBe(3);
    expect(sampler.take('later', 1_000)).toEqual(written(0, 100_000 - 3));
    expect(sampler.take('later still', 1_000)).toEqual(written());
  });

  it('counts what was left out about a subject that had to make room', () => {
    const sampler = new Sampler({ intervalMs: 1_000, maxSubjects: 1 });
    for (const time of [0, 1, 2]) sampler.take('a', time);
    expect(sampler.take('b', 1_000)).toEqual(written(0, 2));
  });
});
