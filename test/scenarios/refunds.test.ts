import { describe, expect, it } from 'vitest';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const rules = (options: string) =>
  `domain: shop\n${options}\ndescriptors:\n  - {key: ip, rate_limit: {unit: minute, requests_per_unit: 3}}\n`;

describe('a domain with refunds: false', () => {
  const closed = rules('refunds: false');

  it.each([0, 1, 5])('refuses a request that gives %i hits back, and counts nothing of it', async (hits) => {
    const { ask, decide, events } = limiterFixture({ yaml: closed });
    expect(printStatuses(await decide('ip=1'))).toEqual(['OK 2/3 30s']);
    expect(await ask(['ip=1', descriptor('ip=1', { hits, refund: true })])).toEqual({
      kind: 'failure',
      code: 'INVALID_ARGUMENT',
      message: 'the domain does not take hits back',
    });
    expect(events.at(-1)?.outcomes).toEqual([]);
    expect(printStatuses(await decide('ip=1'))).toEqual(['OK 1/3 30s']);
  });

  it('refuses it also for a limit that the request brings, and where no rule matches', async () => {
    const { ask } = limiterFixture({ yaml: closed });
    for (const one of [
      descriptor('ip=1', { limit: [5, 'MINUTE'], refund: true }),
      descriptor('none=1', { refund: true }),
    ]) {
      expect(await ask([one])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it.each(['', 'refunds: true'])('is not one with "%s"', async (options) => {
    const { decide } = limiterFixture({ yaml: rules(options) });
    await decide('ip=1');
    expect(printStatuses(await decide(descriptor('ip=1', { refund: true })))).toEqual(['OK 3/3 30s']);
  });
});
