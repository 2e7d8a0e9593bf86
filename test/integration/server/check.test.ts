import { describe, expect, it } from 'vitest';
import type { Decision, FailureCode } from '../../../src/domain/decision.ts';
import { httpCall } from '../../support/http-call.ts';
import { allow, type Edge, startHttpEdge } from './start-edges.ts';

const path = '/check?domain=edge&descriptor=user=u1';

const status = { code: 'OVER_LIMIT', limitRemaining: 0, secondsUntilReset: 37 } as const;
const limit = { requestsPerUnit: 5, windowSeconds: 60, unit: 'MINUTE', name: 'five' } as const;

function deciding(parts: Partial<Decision>) {
  return startHttpEdge(async (asked) => allow(asked, parts));
}

const denying = (parts: Partial<Decision> = {}) =>
  deciding({ overallCode: 'OVER_LIMIT', described: { ...status, currentLimit: limit }, ...parts });

const check = ({ address }: Edge, query = '', method = 'GET') =>
  httpCall({ address, path: path + query, method });

describe('/check', () => {
  it.each(['GET', 'HEAD', 'POST'])('%s asks the limiter: 200 without a body', async (method) => {
    const edge = await deciding({ described: { ...status, limitRemaining: 4, currentLimit: limit } });
    const answer = await check(edge, '', method);
    expect(answer).toMatchObject({
      status: 200,
      body: '',
      headers: {
        'ratelimit-limit': '5',
        'ratelimit-remaining': '4',
        'ratelimit-reset': '37',
        'cache-control': 'no-store',
      },
    });
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(answer.headers).not.toHaveProperty('content-type');
    expect(edge.requests).toMatchObject([
      {
        deadline: undefined,
        provenNames: [],
        request: { domain: 'edge', descriptors: [{ entries: [{ key: 'user', value: 'u1' }] }] },
      },
    ]);
    expect(edge.calls).toMatchObject([{ protocol: 'http', method: 'ShouldRateLimit', code: 'OK' }]);
    expect(edge.refusals).toEqual([]);
  });

  it.each(['PUT', 'DELETE', 'OPTIONS'])('%s: 404', async (method) => {
    await expect(check(await startHttpEdge(), '', method)).resolves.toMatchObject({ status: 404 });
  });

  it('headers that describe no limit go with it: a warning, and the list of all limits', async () => {
    const furtherHeaders = [
      { name: 'RateLimit', value: '"5/minute";r=1;t=37' },
      { name: 'X-RateLimit-Warning', value: 'at=0.8, used=4, limit=5, reset=37' },
    ];
    const { headers } = await check(await deciding({ furtherHeaders }));
    expect(headers).toMatchObject({
      ratelimit: '"5/minute";r=1;t=37',
      'x-ratelimit-warning': 'at=0.8, used=4, limit=5, reset=37',
    });
  });

  it('without a limit there are no headers of one', async () => {
    const { headers, status: code } = await check(await startHttpEdge());
    expect(code).toBe(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit-'))).toEqual([]);
  });

  it.each([
    ['', 429],
    ['&deny=403', 403],
    ['&deny=503', 503],
  ])('a denial "%s": %i, with Retry-After', async (query, code) => {
    const edge = await denying();
    await expect(check(edge, query)).resolves.toMatchObject({
      status: code,
      body: '',
      headers: { 'ratelimit-limit': '5', 'ratelimit-remaining': '0', 'retry-after': '37' },
    });
    expect(edge.calls).toMatchObject([{ code: 'OK' }]);
  });

  it('a denial has the body that there is for it, in its type, for gateways that pass it on', async () => {
    const edge = await denying({ denialBody: { contentType: 'text/html', text: '<p>wait é</p>' } });
    const answer = { status: 429, headers: { 'content-type': 'text/html' } };
    await expect(check(edge)).resolves.toMatchObject({ ...answer, body: '<p>wait é</p>' });
    await expect(check(edge, '', 'HEAD')).resolves.toMatchObject({ ...answer, body: '' });
  });

  it.each([
    ['INVALID_ARGUMENT', 400],
    ['PERMISSION_DENIED', 403],
    ['UNAVAILABLE', 503],
    ['RESOURCE_EXHAUSTED', 503],
  ] as [FailureCode, number][])('a failure %s: %i with its text, whatever deny says', async (code, http) => {
    const edge = await startHttpEdge(async () => ({ kind: 'failure', code, message: 'what to change' }));
    await expect(check(edge, '&deny=401')).resolves.toMatchObject({
      status: http,
      body: 'what to change\n',
      headers: { 'content-type': 'text/plain' },
    });
    expect(edge.calls).toMatchObject([{ code }]);
  });

  it('an exception: 500 with a fixed text, the rest in the log', async () => {
    const edge = await startHttpEdge(() => Promise.reject(new Error('secret of the inside')));
    await expect(check(edge)).resolves.toMatchObject({ status: 500, body: 'internal error\n' });
    expect(edge.lines).toMatchObject([{ path: '/check', err: { message: 'secret of the inside' } }]);
  });

  it('what is no check: 400, counted, and the limiter is not asked', async () => {
    const edge = await startHttpEdge();
    await expect(check(edge, '&hits=some')).resolves.toMatchObject({
      status: 400,
      body: 'hits must be a whole number from 0 to 4294967295\n',
    });
    expect(edge.requests).toEqual([]);
    expect(edge.refusals).toEqual(['INVALID_ARGUMENT']);
    expect(edge.calls).toMatchObject([{ code: 'INVALID_ARGUMENT' }]);
  });

  it('nothing to ask: 200, and a call that was answered', async () => {
    const edge = await startHttpEdge();
    await expect(
      httpCall({ address: edge.address, path: '/check?domain=edge&descriptor=user@x-user' }),
    ).resolves.toMatchObject({ status: 200, body: '' });
    expect(edge.requests).toEqual([]);
    expect(edge.refusals).toEqual([]);
    expect(edge.calls).toMatchObject([{ code: 'OK' }]);
  });

  it('a body is read, within its limit, and not looked at', async () => {
    const edge = await startHttpEdge(undefined, { limits: { maxBodyBytes: 10 } });
    const post = (body: string) => httpCall({ address: edge.address, path, method: 'POST', body });
    await expect(post('not asked')).resolves.toMatchObject({ status: 200 });
    await expect(post('not asked for')).resolves.toMatchObject({ status: 413 });
    expect(edge.refusals).toEqual(['RESOURCE_EXHAUSTED']);
  });

  it('octets of headers and of the query reach the limiter as they came', async () => {
    const edge = await startHttpEdge();
    const asked = '/check?domain=edge&descriptor=a=%FF%C3,user@x-user';
    await httpCall({ address: edge.address, path: asked, headers: { 'x-user': 'ann,role=admin\xff' } });
    expect(edge.requests[0]?.request.descriptors[0]?.entries).toEqual([
      { key: 'a', value: '\xff\xc3' },
      { key: 'user', value: 'ann,role=admin\xff' },
    ]);
  });

  it('as much as fits into a request is decided on', async () => {
    const edge = await startHttpEdge();
    const query = '&descriptor=a=b,c@host'.repeat(650);
    await expect(check(edge, query)).resolves.toMatchObject({ status: 200 });
    expect(edge.requests[0]?.request.descriptors).toHaveLength(651);
  });
});
