import { describe, expect, it } from 'vitest';
import { countingRules, quotaRules } from '../support/case-rules.ts';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const yaml = countingRules;
const denyCache = { maxBytes: 1_000_000, lookAgainMs: 500 };

describe('what a denied request consumes', () => {
  it('N01: nothing, with COUNT_DENIED=false', async () => {
    const { decideHits } = limiterFixture({ yaml, countDenied: false });
    expect(printStatuses(await decideHits(3, 'five=x'))).toEqual(['OK 2/5 30s']);
    expect(printStatuses(await decideHits(3, 'five=x'))).toEqual(['OVER 0/5 30s']);
    expect(printStatuses(await decideHits(2, 'five=x'))).toEqual(['OK 0/5 30s']);
  });

  it('N01: its hits, as in the reference, by default', async () => {
    const { decideHits } = limiterFixture({ yaml });
    await decideHits(3, 'five=x');
    expect(printStatuses(await decideHits(3, 'five=x'))).toEqual(['OVER 0/5 30s']);
    expect(printStatuses(await decideHits(2, 'five=x'))).toEqual(['OVER 0/5 30s']);
  });

  it('N02: nothing on its other descriptors either', async () => {
    const { codes } = limiterFixture({ yaml, countDenied: false });
    expect(await codes(6, 'group=g', 'special=s')).toBe('OK OK OK OVER OVER OVER');
    expect(await codes(8, 'group=g')).toBe('OK OK OK OK OK OK OK OVER');
  });

  it('N02: by default the other descriptors count', async () => {
    const { codes } = limiterFixture({ yaml });
    await codes(6, 'group=g', 'special=s');
    expect(await codes(5, 'group=g')).toBe('OK OK OK OK OVER');
  });
});

describe('hits', () => {
  it('N04: an addend of 0 looks, and exactly at the limit it is OK', async () => {
    const { decide } = limiterFixture({ yaml });
    const look = descriptor('three=x', { hits: 0 });
    for (let i = 0; i < 5; i++) expect(printStatuses(await decide(look))).toEqual(['OK 3/3 3570s']);
    await decide(descriptor('three=x', { hits: 3 }));
    expect(printStatuses(await decide(look))).toEqual(['OK 0/3 3570s']);
  });

  it('N04: a report beyond the limit counts, and the next look sees it', async () => {
    const { decide } = limiterFixture({ yaml });
    expect(printStatuses(await decide(descriptor('three=x', { hits: 150 })))).toEqual(['OVER 0/3 3570s']);
    expect(printStatuses(await decide(descriptor('three=x', { hits: 0 })))).toEqual(['OVER 0/3 3570s']);
  });

  it('N06: hits that are given back can be used again, never below nothing used', async () => {
    const { decide, decideHits } = limiterFixture({ yaml });
    await decideHits(10, 'group=g');
    expect(printStatuses(await decide(descriptor('group=g', { hits: 4, refund: true })))).toEqual([
      'OK 4/10 30s',
    ]);
    expect(printStatuses(await decideHits(4, 'group=g'))).toEqual(['OK 0/10 30s']);
    expect(printStatuses(await decide(descriptor('group=g', { hits: 100, refund: true })))).toEqual([
      'OK 10/10 30s',
    ]);
    expect(printStatuses(await decideHits(10, 'group=g'))).toEqual(['OK 0/10 30s']);
  });

  it('N06: giving back is OK while the count stays over, also when nothing is given back', async () => {
    const { decide, decideHits } = limiterFixture({ yaml });
    await decideHits(20, 'group=g');
    for (const hits of [0, 2]) {
      expect(printStatuses(await decide(descriptor('group=g', { hits, refund: true })))).toEqual([
        'OK 0/10 30s',
      ]);
    }
  });

  it('N06: it passes by the deny cache, so that the next call asks the store', async () => {
    const { decide, decideHits } = limiterFixture({ yaml, denyCache });
    await decideHits(11, 'group=g');
    expect(printStatuses(await decide('group=g'))).toEqual(['OVER 0/10 30s']);
    await decide(descriptor('group=g', { hits: 5, refund: true }));
    expect(printStatuses(await decide('group=g'))).toEqual(['OK 3/10 30s']);
  });

  it.each([2 ** 63 - 1, 2 ** 64 - 1, 2 ** 53, 2 ** 32])(
    'N07 X04: an addend of %d is over, and stays so',
    async (hits) => {
      const { decide, codes } = limiterFixture({ yaml });
      expect((await decide(descriptor('five=p', { hits }))).overallCode).toBe('OVER_LIMIT');
      expect((await decide(descriptor('five=p', { hits }))).overallCode).toBe('OVER_LIMIT');
      expect(await codes(3, 'five=p')).toBe('OVER OVER OVER');
    },
  );

  it('a descriptor that comes twice in a request counts twice, in order', async () => {
    const { decideHits } = limiterFixture({ yaml });
    expect(printStatuses(await decideHits(3, 'five=x', 'five=x'))).toEqual(['OK 2/5 30s', 'OVER 0/5 30s']);
  });
});

describe('windows', () => {
  it('N12: a window of 5 minutes is aligned to the epoch, and its status has no unit', async () => {
    const rules = 'domain: shop\ndescriptors: [{key: w, rate_limit: {window: 5m, requests_per_unit: 4}}]';
    const { decide, codes, clock } = limiterFixture({ yaml: rules, time: '2026-01-01T12:04:59Z' });
    const first = await decide('w=x');
    expect(printStatuses(first)).toEqual(['OK 3/4 1s']);
    expect(first.statuses[0]?.currentLimit?.unit).toBeUndefined();
    expect(await codes(4, 'w=x')).toBe('OK OK OK OVER');
    clock.advance(1_000);
    expect(printStatuses(await decide('w=x'))).toEqual(['OK 3/4 300s']);
  });

  it('K03: the period is a part of the counter, for rules and for limits of the request', async () => {
    const rule = (unit: string) =>
      `domain: shop\ndescriptors: [{key: u, rate_limit: {unit: ${unit}, requests_per_unit: 9}}]`;
    const { decide, reload } = limiterFixture({ yaml: rule('minute') });
    for (let i = 0; i < 3; i++) await decide('u=x');
    reload(rule('hour'));
    expect(printStatuses(await decide('u=x'))).toEqual(['OK 8/9 3570s']);
    await decide(descriptor('u=y', { limit: [5, 'MINUTE'] }));
    expect(printStatuses(await decide(descriptor('u=y', { limit: [5, 'HOUR'] })))).toEqual(['OK 4/5 3570s']);
  });

  it('R05: a raised limit holds at once, in the same window', async () => {
    const rule = (limit: number) =>
      `domain: shop\ndescriptors: [{key: ip, rate_limit: {unit: minute, requests_per_unit: ${limit}}}]`;
    const { codes, decide, reload } = limiterFixture({ yaml: rule(3), denyCache });
    expect(await codes(4, 'ip=x')).toBe('OK OK OK OVER');
    reload(rule(10));
    expect(printStatuses(await decide('ip=x'))).toEqual(['OK 5/10 30s']);
  });
});

describe('quotas', () => {
  it('N18: they deny together, and the metadata say which is left', async () => {
    const { decide } = limiterFixture({ yaml: quotaRules, dynamicMetadata: true });
    const models = ['model=m1', 'model=m2'];
    for (let i = 0; i < 2; i++) {
      const { overallCode, dynamicMetadata } = await decide(...models);
      expect([overallCode, dynamicMetadata?.['metadata']]).toEqual(['OK', { route: 'pool1' }]);
    }
    const third = await decide(...models);
    expect([third.overallCode, third.dynamicMetadata?.['metadata']]).toEqual(['OK', { route: 'pool2' }]);
    const fourth = await decide(...models);
    expect([fourth.overallCode, fourth.dynamicMetadata?.['metadata']]).toEqual(['OVER_LIMIT', undefined]);
  });

  it('N18: beside them an ordinary rule denies at once', async () => {
    const { decide, decideHits } = limiterFixture({ yaml: quotaRules });
    await decideHits(1000, 'budget=b');
    expect((await decide('model=m2', 'budget=b')).overallCode).toBe('OVER_LIMIT');
  });

  it.each(['detailed_metric', 'value_to_metric'])('N18: metadata survive %s', async (flag) => {
    const rules = `domain: shop\ndescriptors:
  - {key: a, ${flag}: true, metadata: {route: pool}, rate_limit: {unit: hour, requests_per_unit: 2}}`;
    const { decide } = limiterFixture({ yaml: rules, dynamicMetadata: true });
    expect((await decide('a=1')).dynamicMetadata?.['metadata']).toEqual({ route: 'pool' });
  });

  it.each([
    ['a shadow quota that is over', 'shadow_mode: true, ', 1],
    ['hits given back on a quota', '', -1],
  ])('%s keeps the others from denying, and nothing is lost', async (_, flag, sign) => {
    const rules = `domain: shop\ndescriptors:
  - {key: a, quota_mode: true, ${flag}rate_limit: {unit: hour, requests_per_unit: 1}}
  - {key: b, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 1}}`;
    const { decide } = limiterFixture({ yaml: rules, countDenied: false });
    const safe = descriptor('a=1', { hits: 5, refund: sign < 0 });
    expect((await decide(safe, descriptor('b=1', { hits: 5 }))).overallCode).toBe('OK');
    expect((await decide(descriptor('b=1', { hits: 0 }))).statuses[0]?.code).toBe('OVER_LIMIT');
  });
});
