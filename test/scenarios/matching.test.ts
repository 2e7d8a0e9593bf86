import { describe, expect, it } from 'vitest';
import { octetsOf } from '../../src/domain/octets.ts';
import { explainMatch } from '../../src/rules/explain.ts';
import { match } from '../../src/rules/match.ts';
import { replacingRules, sharingRules } from '../support/case-rules.ts';
import { limiterFixture, printStatuses, rulesOf } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

function ruleFor(yaml: string, text: string): string | undefined {
  const [domain] = rulesOf(yaml).domains.values();
  return domain && match(domain, descriptor(text))?.path;
}

describe('which rule a descriptor finds', () => {
  const oneLevel =
    'domain: shop\ndescriptors: [{key: k, value: v, rate_limit: {unit: minute, requests_per_unit: 3}}]';
  it.each([
    ['k=v', 'shop.k_v'],
    ['k=v, s=t', undefined],
    ['s=t, k=v', undefined],
    ['K=v', undefined],
    ['k=V', undefined],
    ['k=', undefined],
    ['', undefined],
  ])('M02: [%s] finds %s', (text, path) => {
    expect(ruleFor(oneLevel, text)).toBe(path);
  });

  it('M02: what did not match is explained', () => {
    const explain = (text: string) =>
      explainMatch(rulesOf(oneLevel), octetsOf('shop'), descriptor(text)).summary;
    expect(explain('k=v, s=t')).toBe("matched 1 of 2 entries; no rules go deeper for key 's'");
    expect(explain('s=t, k=v')).toBe("matched 0 of 2 entries; no rule has key 's' there");
    expect(explain('K=v')).toBe("matched 0 of 1 entry; no rule has key 'K' there; did you mean 'k'?");
    expect(explain('k=w')).toBe("matched 0 of 1 entry; key 'k' has no rule for value 'w'");
    expect(explain('')).toBe('a descriptor without entries matches nothing');
  });

  it('M05: the longest literal prefix wins, in either order of declaration', () => {
    const wide = '{key: path, value: /v1/*, rate_limit: {unit: minute, requests_per_unit: 100}}';
    const narrow = '{key: path, value: /v1/admin/*, rate_limit: {unit: minute, requests_per_unit: 1}}';
    for (const rules of [
      [wide, narrow],
      [narrow, wide],
    ]) {
      expect(ruleFor(`domain: web\ndescriptors: [${rules.join(', ')}]`, 'path=/v1/admin/x')).toBe(
        'web.path_/v1/admin/*',
      );
    }
  });

  it('M06: the empty value is matched by a star, and by the key alone', () => {
    const star =
      'domain: a\ndescriptors: [{key: p, value: "*", rate_limit: {unit: minute, requests_per_unit: 1}}]';
    expect(ruleFor(star, 'p=')).toBe('a.p_*');
    const keyAlone = 'domain: a\ndescriptors: [{key: p, rate_limit: {unit: minute, requests_per_unit: 1}}]';
    expect(ruleFor(keyAlone, 'p=')).toBe('a.p');
  });

  it('M06: twenty stars on a value of 10 kB, where trying every place would never end', () => {
    const limit = 'rate_limit: {unit: minute, requests_per_unit: 1}';
    const stars = `${'*/item'.repeat(18)}*.end*`;
    const yaml = `domain: a\ndescriptors: [{key: p, value: "${stars}", ${limit}}]`;
    const long = '/item-of-9'.repeat(1_000);
    expect(ruleFor(yaml, `p=${long}`)).toBeUndefined();
    expect(ruleFor(yaml, `p=${long}.end/x`)).toBe(`a.p_${stars}`);
  });

  it('M08: key and value are never joined', () => {
    const yaml =
      'domain: a\ndescriptors: [{key: a_b, value: c, rate_limit: {unit: minute, requests_per_unit: 1}}]';
    expect(ruleFor(yaml, 'a=b_c')).toBeUndefined();
    expect(ruleFor(yaml, 'a_b=c')).toBe('a.a_b_c');
  });

  it('matches octets, so that values which differ in one are different', () => {
    const yaml =
      'domain: a\ndescriptors: [{key: p, value: é, rate_limit: {unit: minute, requests_per_unit: 1}}]';
    expect(ruleFor(yaml, 'p=é')).toBe('a.p_é');
    expect(ruleFor(yaml, 'p=e\u0301')).toBeUndefined();
  });
});

it('M01: an unknown domain is allowed, seen, and its name corrected', async () => {
  const yaml = 'domain: shop\ndescriptors: [{key: ip, rate_limit: {unit: minute, requests_per_unit: 0}}]';
  const { decide, events } = limiterFixture({ yaml, domain: 'Shop' });
  expect(printStatuses(await decide('ip=x'))).toEqual(['OK']);
  expect(events).toMatchObject([{ domainKnown: false, outcomes: [{ source: 'unmatched' }] }]);
  const { summary } = explainMatch(rulesOf(yaml), octetsOf('Shop'), descriptor('ip=x'));
  expect(summary).toBe("no rules for domain 'Shop'; did you mean 'shop'?");
});

it('C11: rules whose joined text is equal have their own limits and counters', async () => {
  const yaml = `domain: shop
descriptors:
  - {key: a, value: b_c, rate_limit: {unit: minute, requests_per_unit: 2}}
  - {key: a_b, value: c, rate_limit: {unit: minute, requests_per_unit: 9}}`;
  const { codes, decide } = limiterFixture({ yaml });
  expect(await codes(3, 'a=b_c')).toBe('OK OK OVER');
  expect(printStatuses(await decide('a_b=c'))).toEqual(['OK 8/9 30s']);
  expect(await codes(9, 'a_b=c')).toBe(`${'OK '.repeat(8)}OVER`);
});

describe('share_threshold', () => {
  it('M09: all values of the pattern count together', async () => {
    const { decide } = limiterFixture({ yaml: sharingRules });
    const codes = [];
    for (const file of ['docs/1', 'docs/2', 'docs/3', 'docs/4'])
      codes.push((await decide(`file=${file}`)).overallCode);
    expect(codes).toEqual(['OK', 'OK', 'OK', 'OVER_LIMIT']);
  });

  it('M09: without it each value counts alone', async () => {
    const { decide } = limiterFixture({
      yaml: sharingRules.replace('docs/*, share_threshold: true', 'docs/*'),
    });
    for (const file of ['docs/1', 'docs/2', 'docs/3', 'docs/4']) {
      expect((await decide(`file=${file}`)).overallCode).toBe('OK');
    }
  });

  it('M09: on an upper level, with the values below apart', async () => {
    const { decide } = limiterFixture({ yaml: sharingRules });
    const codes = [];
    for (const tenant of ['t1', 't2', 't3']) codes.push((await decide(`tenant=${tenant}, op=a`)).overallCode);
    expect(codes).toEqual(['OK', 'OK', 'OVER_LIMIT']);
    expect((await decide('tenant=t9, op=b')).overallCode).toBe('OK');
  });
});

describe('replaces', () => {
  it('M10: the named rule is out of the request, and its counter untouched', async () => {
    const { codes } = limiterFixture({ yaml: replacingRules });
    const both = ['area=read, user=u', 'page=hot, user=u'];
    expect(await codes(12, ...both)).toBe(`${'OK '.repeat(10)}OVER OVER`);
    expect(await codes(6, 'area=read, user=u')).toBe('OK OK OK OK OK OVER');
  });

  it('M10: an unlimited rule can be replaced too', async () => {
    const yaml = replacingRules.replace('unit: second, requests_per_unit: 5', 'unlimited: true');
    const { decide } = limiterFixture({ yaml });
    expect(printStatuses(await decide('area=read, user=u', 'page=hot, user=u'))).toEqual([
      'OK',
      'OK 9/10 1s',
    ]);
    expect(printStatuses(await decide('area=read, user=u'))).toEqual(['OK unlimited']);
  });
});
