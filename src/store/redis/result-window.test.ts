import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ResultWindow } from './result-window.ts';

const anyResult = fc.record({ wait: fc.nat(1_500), succeeded: fc.nat(50), failed: fc.nat(50) });

it('has the sums of this tenth of a second and the nine before it', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.array(anyResult, { maxLength: 30 }), (start, results) => {
      const window = new ResultWindow();
      const all: { tenth: number; succeeded: number; failed: number }[] = [];
      let now = start;
      for (const { wait, succeeded, failed } of results) {
        now += wait;
        const tenth = Math.floor(now / 100);
        window.add(now, succeeded, failed);
        all.push({ tenth, succeeded, failed });
        const recent = all.filter((result) => tenth - result.tenth < 10);
        expect(window.sums(now)).toEqual({
          succeeded: recent.reduce((sum, result) => sum + result.succeeded, 0),
          failed: recent.reduce((sum, result) => sum + result.failed, 0),
        });
      }
    }),
  );
});
