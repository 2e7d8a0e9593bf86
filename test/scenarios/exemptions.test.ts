import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/domain/caller.ts';
import { compileRules } from '../../src/rules/compile.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { limiterFixture, rulesOf } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';
import { startWatched } from '../support/watched-limiter.ts';

const limit = 'rate_limit: {unit: day, requests_per_unit: 1}';
const yaml = `
domain: shop
exemptions: [{key: api_key, value: internal}, {key: ip, cidrs: [10.0.0.0/8]}]
descriptors: [{key: user, ${limit}}, {key: api_key, ${limit}}]
`;

describe('an exempt request', () => {
  it('asks no store, and writes no line', async () => {
    const watched = startWatched({ yaml });
    expect(await watched.ask('api_key=internal', 'ip=10.1.2.3', 'ip=10.1.2.3, other=x')).toBe('OK OK OK');
    expect(watched.keys).toEqual([]);
    expect(watched.lines).toEqual([]);
  });

  it('has the dynamic metadata of one without a rule', async () => {
    const { decide } = limiterFixture({ yaml, dynamicMetadata: true });
    expect((await decide('user=ann', 'api_key=internal')).dynamicMetadata).toEqual({
      domain: 'shop',
      descriptors: [{ entries: ['user=ann'] }, { entries: ['api_key=internal'] }],
    });
  });

  it('has no headers of a limit, whatever the limits of its other descriptors are', async () => {
    const headers = { limit: 'x-limit', remaining: 'x-remaining', reset: 'x-reset' };
    const { decide } = limiterFixture({ yaml, responseHeaders: headers });
    expect((await decide('user=ann', 'api_key=internal')).responseHeaders).toEqual([]);
    expect((await decide('user=ann')).responseHeaders).not.toEqual([]);
  });

  it('is still refused where it is faulty, or gives back what the domain takes from nobody', async () => {
    const { ask } = limiterFixture({ yaml: yaml.replace('domain: shop', 'domain: shop\nrefunds: false') });
    const refund = descriptor('api_key=internal', { hits: 1, refund: true });
    expect(await ask([refund])).toMatchObject({ kind: 'failure', code: 'INVALID_ARGUMENT' });
    const override = descriptor('api_key=internal', { limit: [1, undefined] });
    expect(await ask([override])).toMatchObject({ kind: 'failure', code: 'INVALID_ARGUMENT' });
  });

  it('must come from a client of the domain', async () => {
    const caller: Caller = { provenNames: ['other.example'] };
    const { ask } = limiterFixture({ yaml: `clients: [a.example]${yaml}`, caller });
    expect(await ask(['api_key=internal'])).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('passes while the store is away', async () => {
    const error = { kind: 'connection', message: 'gone', node: '' } as const;
    const { decide } = limiterFixture({
      yaml,
      failurePolicy: 'deny',
      store: {
        hit: async (hits) => ({ states: hits.map(() => error), counted: true }),
        hitUnlessDenied: async (hits) => ({ states: hits.map(() => error), counted: true }),
        ready: Promise.resolve(),
        isConnected: () => false,
        close: async () => {},
      },
    });
    expect((await decide('user=ann', 'api_key=internal')).overallCode).toBe('OK');
    expect((await decide('user=ann')).overallCode).toBe('OVER_LIMIT');
  });
});

it('is exempt by exactly what is written', async () => {
  const { decide } = limiterFixture({
    yaml: `domain: shop
exemptions: [{key: k, prefix: svc-}, {key: k, prefix: svc-a}, {key: k, prefix: é}, {key: k, values: [a, b]}]
descriptors: [{key: k, ${limit}}]`,
  });
  const isExempt = async (value: string) =>
    (await decide(`k=${value}`)).statuses[0]?.currentLimit === undefined;
  for (const value of ['svc-', 'svc-a', 'svc-b', 'a', 'b', 'é', 'éa'])
    expect([value, await isExempt(value)]).toEqual([value, true]);
  for (const value of ['', 'svc', 'Svc-a', 'c', 'ab', 'e', 'xsvc-'])
    expect([value, await isExempt(value)]).toEqual([value, false]);
});

it('files of one domain add their exemptions up', () => {
  const parsed = ['api_key, value: one', 'api_key, value: two', 'ip, cidrs: [10.0.0.0/8]'].map(
    (exemption, index) =>
      parseRules(
        `${index}.yaml`,
        Buffer.from(`domain: shop\nexemptions: [{key: ${exemption}}]\ndescriptors: []`),
      ),
  );
  const documents = parsed.flatMap(({ document }) => document ?? []);
  const { ruleSet, issues } = compileRules(documents, { mergeDomains: true, keyPrefix: '', version: '1' });
  expect(issues).toEqual([]);
  const [domain] = ruleSet?.domains.values() ?? [];
  const values = [...(domain?.exemptions ?? [])].map(([key, { values }]) => [key, [...values]]);
  expect(values).toEqual([
    ['api_key', ['one', 'two']],
    ['ip', []],
  ]);
});

describe('weir_exempt_requests_total', () => {
  const load = { result: { kind: 'applied', version: '1', issues: [] }, at: 0 } as const;
  const lines = async (metrics: ReturnType<typeof createMetrics>) =>
    (await metrics.text()).body.match(
      /^weir_(exempt_requests_total|decisions_total|descriptors_total\{source="exempt).*$/gm,
    );

  it('counts requests by domain, and a domain without exemptions has none', async () => {
    const metrics = createMetrics({ withProcess: false });
    metrics.onConfigLoad(load, rulesOf(yaml, 'domain: other\ndescriptors: []'));
    const { decide, reload } = limiterFixture({ yaml, listeners: [metrics.listener] });
    await decide('user=ann', 'api_key=internal');
    await decide('user=ann');
    expect(await lines(metrics)).toEqual([
      'weir_decisions_total{code="OK"} 2',
      'weir_decisions_total{code="OVER_LIMIT"} 0',
      'weir_descriptors_total{source="exempt"} 2',
      'weir_exempt_requests_total{domain="shop"} 1',
    ]);
    metrics.onConfigLoad(load, rulesOf(yaml));
    expect((await lines(metrics))?.at(-1)).toBe('weir_exempt_requests_total{domain="shop"} 1');
    reload('domain: shop\ndescriptors: []');
    metrics.onConfigLoad(load, rulesOf('domain: shop\ndescriptors: []'));
    expect((await lines(metrics))?.at(-1)).toBe('weir_descriptors_total{source="exempt"} 2');
  });
});
