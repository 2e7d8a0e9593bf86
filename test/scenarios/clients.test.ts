import { describe, expect, it } from 'vitest';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';
import { descriptor } from '../support/requests.ts';

const rules = (options: string) =>
  `domain: shop\n${options}\ndescriptors:\n  - {key: ip, rate_limit: {unit: minute, requests_per_unit: 3}}\n`;

const shop = 'spiffe://cluster/ns/shop';
const yaml = rules(`clients: [${shop}, Envoy.Edge.test, "*.pay.test"]`);
const denied = {
  kind: 'failure',
  code: 'PERMISSION_DENIED',
  message: 'this client may not use the domain',
};

const askAs = (provenNames: readonly string[], text = yaml) =>
  limiterFixture({ yaml: text, caller: { provenNames } });

describe('a domain with a list of clients', () => {
  it.each([
    ['a URI', [shop]],
    ['a DNS name, in any case in the list', ['envoy.edge.test']],
    ['one name of several', ['other.test', shop, 'spiffe://cluster/ns/other']],
    ['a star, which is that character', ['*.pay.test']],
  ])('lets in a caller with %s of it', async (_, names) => {
    expect(await askAs(names).ask(['ip=1'])).toMatchObject({ kind: 'decision', overallCode: 'OK' });
  });

  it.each([
    ['no name', []],
    ['other names', ['other.test', 'spiffe://cluster/ns/other']],
    ['a URI in another case', ['spiffe://Cluster/ns/shop']],
    ['more than a name of it', [`${shop}/admin`, 'a.envoy.edge.test']],
    ['a name that a star would cover', ['a.pay.test']],
    ['a wildcard that would cover a name', ['*.edge.test']],
  ])('refuses a caller with %s', async (_, names) => {
    expect(await askAs(names).ask(['ip=1'])).toEqual(denied);
  });

  it('counts nothing for a caller that it refuses, and tells the listeners who that was', async () => {
    const names = ['other.test'];
    const caller = { provenNames: names };
    const { ask, events, decide } = limiterFixture({ yaml, caller });
    await ask(['ip=1', descriptor('ip=1', { limit: [5, 'MINUTE'] })]);
    expect(events).toMatchObject([{ caller, domainKnown: true, outcomes: [], answer: denied }]);
    names.push(shop);
    expect(printStatuses(await decide('ip=1'))).toEqual(['OK 2/3 30s']);
  });

  it('is closed to everybody where the list is empty', async () => {
    expect(await askAs([shop], rules('clients: []')).ask(['ip=1'])).toEqual(denied);
  });

  it('is open after a reload without the list, and closed again after one with another', async () => {
    const { ask, reload } = askAs([]);
    reload(rules(''));
    expect(await ask(['ip=1'])).toMatchObject({ overallCode: 'OK' });
    reload(rules('clients: [other.test]'));
    expect(await ask(['ip=1'])).toEqual(denied);
  });
});

it('everybody may use a domain without a list, and ask for one that nobody knows', async () => {
  expect(await askAs([], rules('')).ask(['ip=1'])).toMatchObject({ overallCode: 'OK' });
  const unknown = limiterFixture({ yaml, domain: 'other' });
  expect(await unknown.ask(['ip=1'])).toMatchObject({ overallCode: 'OK' });
});

describe('the order of checks', () => {
  it('a request that nobody could make is that first', async () => {
    const { ask } = askAs([]);
    expect(await ask([])).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await ask([descriptor('ip=1', { limit: [5, undefined] })])).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('without rules nobody knows who may', async () => {
    const { ask } = limiterFixture({ yaml, rules: () => undefined });
    expect(await ask(['ip=1'])).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('who may not use a domain does not learn whether it takes hits back', async () => {
    const text = rules(`clients: [${shop}]\nrefunds: false`);
    const refund = descriptor('ip=1', { refund: true });
    expect(await askAs([], text).ask([refund])).toEqual(denied);
    expect(await askAs([shop], text).ask([refund])).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
