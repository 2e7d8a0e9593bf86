import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpAnswer, httpCall } from '../../support/http-call.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';

const rules = {
  'shop.yaml': `domain: shop
descriptors:
  - {key: user, rate_limit: {unit: year, requests_per_unit: 3}}
  - {key: closed, rate_limit: {window: 300d, requests_per_unit: 0}}
  - {key: trial, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 0}}
  - {key: free, rate_limit: {unlimited: true}}
  - {key: path, value: "/a,*", rate_limit: {unit: year, requests_per_unit: 7}}
  - key: route
    value: login
    descriptors:
      - {key: user, rate_limit: {unit: year, requests_per_unit: 2}}
`,
  'inner.yaml': 'domain: inner\nclients: [client.test]\ndescriptors: [{key: user}]\n',
};

type Descriptor = readonly (readonly [key: string, value: string])[];
interface Asked {
  readonly domain?: string;
  readonly hits?: number;
}

describe('/check and /json, asked the same', () => {
  let asked: Record<'/check' | '/json', RunningWeir>;
  beforeAll(async () => {
    const start = (env = {}) => startWeir({ rules, env: { BACKEND_TYPE: 'memory', ...env } });
    const [check, json] = await Promise.all([start(), start({ LIMIT_RESPONSE_HEADERS_ENABLED: 'true' })]);
    asked = { '/check': check, '/json': json };
  });
  afterAll(async () => {
    await Promise.all(Object.values(asked ?? {}).map((weir) => weir.stop()));
  });

  function checked(descriptors: readonly Descriptor[], { domain = 'shop', hits = 0 }: Asked) {
    const texts = descriptors.map((entries) =>
      entries.map((entry) => entry.map(encodeURIComponent).join('=')).join(','),
    );
    const query = [`domain=${domain}`, ...texts.map((text) => `descriptor=${text}`), `hits=${hits}`];
    return httpCall({ address: asked['/check'].address('http'), path: `/check?${query.join('&')}` });
  }

  function jsonOf(descriptors: readonly Descriptor[], { domain = 'shop', hits = 0 }: Asked) {
    const body = JSON.stringify({
      domain,
      descriptors: descriptors.map((entries) => ({
        entries: entries.map(([key, value]) => ({ key, value })),
      })),
      hitsAddend: hits,
    });
    return httpCall({ address: asked['/json'].address('http'), path: '/json', method: 'POST', body });
  }

  /** Status, text of a failure, and what is said of the limit. A second may pass between the two. */
  function meaningOf({ status, headers, body }: HttpAnswer) {
    const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset } = headers;
    const isFailure = headers['content-type'] === 'text/plain';
    return {
      status,
      text: isFailure ? body : undefined,
      limit,
      remaining,
      hasReset: reset !== undefined,
      retriesAtReset: headers['retry-after'] && headers['retry-after'] === reset,
    };
  }

  const user: Descriptor = [['user', 'ann']];
  const login: Descriptor = [...[['route', 'login'] as const], ['user', 'a,b=c&d@e%20\\é']];

  it.each<[string, readonly Descriptor[], Asked]>([
    ['a limit', [user], {}],
    ['the same, with its hits', [user], { hits: 2 }],
    ['beyond it', [user], {}],
    ['two limits, one of them over', [user, [['path', '/a,b']]], {}],
    ['two entries, of any characters', [login], {}],
    ['the least that remains', [login, [['path', '/a,b']]], {}],
    ['a window that is no unit', [[['closed', '']]], {}],
    ['shadow mode', [[['trial', 'x']]], {}],
    ['shadow mode beside a limit', [[['trial', 'x']], [['path', '/a,c']]], {}],
    ['unlimited', [[['free', 'x']]], {}],
    ['no rule', [[['other', 'x']]], {}],
    ['no such domain', [user], { domain: 'none' }],
    ['no domain', [user], { domain: '' }],
    ['no descriptor', [], {}],
    ['a domain that is for others', [user], { domain: 'inner' }],
  ])('%s', async (_what, descriptors, options) => {
    const answer = meaningOf(await checked(descriptors, options));
    expect(answer).toEqual(meaningOf(await jsonOf(descriptors, options)));
  });

  it('count alike, but for the headers', async () => {
    const families = /^(weir_calls_total|weir_failures_total|ratelimit_service_(rate_limit|should)\w+)\{.*/gm;
    const [check, json] = await Promise.all(
      Object.values(asked).map(async (weir) => {
        const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
        return body.match(families);
      }),
    );
    expect(check?.length).toBeGreaterThan(20);
    expect(check).toEqual(json);
  });
});

describe('the headers of /check', () => {
  it('have the names that are set, though other answers have none', async () => {
    const env = {
      BACKEND_TYPE: 'memory',
      LIMIT_RESPONSE_HEADERS_STYLE: 'x-ratelimit',
      LIMIT_RESET_HEADER: 'X-Renew',
      DENIAL_BODY: 'json',
    };
    await using weir = await startWeir({ rules, env });
    const path = '/check?domain=shop&descriptor=closed=x&deny=403';
    const denied = await httpCall({ address: weir.address('http'), path });
    expect(denied).toMatchObject({
      status: 403,
      headers: { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'content-type': 'application/json' },
    });
    expect(denied.headers['retry-after']).toBe(denied.headers['x-renew']);
    expect(JSON.parse(denied.body)).toMatchObject({ error: 'rate_limit_exceeded', limit: 0 });
    const body = JSON.stringify({
      domain: 'shop',
      descriptors: [{ entries: [{ key: 'closed', value: 'x' }] }],
    });
    const json = await httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
    expect(json.status).toBe(429);
    expect(Object.keys(json.headers).filter((name) => /ratelimit|renew|retry/.test(name))).toEqual([]);
  });
});
