import { describe, expect, it, onTestFinished } from 'vitest';
import { type HttpAnswer, httpCall } from '../../support/http-call.ts';
import { startWeir } from '../../support/start-weir.ts';

/** Limits of 0 deny from the first call on, whatever the time. */
const rules = {
  'shop.yaml': `domain: shop
descriptors:
  - {key: open, rate_limit: {unit: minute, requests_per_unit: 100}}
  - {key: closed, rate_limit: {unit: minute, requests_per_unit: 0}}
  - {key: trial, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 0}}
`,
};

async function start(env: Record<string, string> = {}) {
  const weir = await startWeir({
    rules,
    env: { BACKEND_TYPE: 'memory', LIMIT_RESPONSE_HEADERS_ENABLED: 'true', ...env },
  });
  onTestFinished(async () => {
    await weir.stop();
  });
  return (...keys: string[]): Promise<HttpAnswer> => {
    const descriptors = keys.map((key) => ({ entries: [{ key, value: 'x' }] }));
    const body = JSON.stringify({ domain: 'shop', descriptors });
    return httpCall({ address: weir.address('http'), path: '/json', method: 'POST', body });
  };
}

/** The codes of the whole and of each descriptor. */
function codesOf({ body }: HttpAnswer): string[] {
  const { overallCode, statuses } = JSON.parse(body) as { overallCode: string; statuses: { code: string }[] };
  return [overallCode, ...statuses.map(({ code }) => code)];
}

describe('H04: Retry-After on /json', () => {
  it('is the seconds to the reset on denial, as in the body, and absent otherwise', async () => {
    const ask = await start();
    const denied = await ask('open', 'closed');
    expect(denied.status).toBe(429);
    expect(codesOf(denied)).toEqual(['OVER_LIMIT', 'OK', 'OVER_LIMIT']);
    expect(denied.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(denied.headers['retry-after']).toBe(denied.headers['ratelimit-reset']);
    expect(JSON.parse(denied.body).responseHeadersToAdd).toContainEqual({
      key: 'Retry-After',
      value: denied.headers['retry-after'],
    });

    const allowed = await ask('open');
    expect([allowed.status, ...codesOf(allowed)]).toEqual([200, 'OK', 'OK']);
    expect(allowed.headers).toHaveProperty('ratelimit-limit', '100');
    expect(allowed.headers).not.toHaveProperty('retry-after');

    const onTrial = await ask('open', 'trial');
    expect([onTrial.status, ...codesOf(onTrial)]).toEqual([200, 'OK', 'OK', 'OK']);
    expect(onTrial.headers).toHaveProperty('ratelimit-limit', '100');
    expect(onTrial.headers).not.toHaveProperty('retry-after');
  });

  it('is absent in global shadow mode, where nothing is denied', async () => {
    const ask = await start({ SHADOW_MODE: 'true' });
    const shadowed = await ask('closed');
    expect([shadowed.status, ...codesOf(shadowed)]).toEqual([200, 'OK', 'OVER_LIMIT']);
    expect(shadowed.headers).not.toHaveProperty('retry-after');
  });
});
