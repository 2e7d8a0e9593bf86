import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/domain/clock.ts';
import type { Decision, FailureCode } from '../../../src/domain/decision.ts';
import { createLogger } from '../../../src/log.ts';
import { startMetricsServer } from '../../../src/server/http/metrics-server.ts';
import { type HttpCall, httpCall } from '../../support/http-call.ts';
import { allow, type Edge, httpOptions, startHttpEdge } from './start-edges.ts';

const request = JSON.stringify({
  domain: 'edge',
  descriptors: [{ entries: [{ key: 'user', value: 'u1' }] }],
});

function postJson({ address }: Edge, call: Partial<HttpCall> = {}) {
  return httpCall({ address, path: '/json', method: 'POST', body: request, ...call });
}

function deciding(parts: Partial<Decision>) {
  return startHttpEdge(async (asked) => allow(asked, parts));
}

describe('/json', () => {
  it('answers in JSON what the limiter decided', async () => {
    const edge = await startHttpEdge();
    const answer = await postJson(edge);
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.body)).toEqual({
      overallCode: 'OK',
      statuses: [
        {
          code: 'OK',
          currentLimit: { requestsPerUnit: 5, unit: 'MINUTE', name: 'five' },
          limitRemaining: 4,
          durationUntilReset: '37s',
        },
      ],
    });
    expect(edge.requests).toMatchObject([
      {
        deadline: undefined,
        request: { domain: 'edge', descriptors: [{ entries: [{ key: 'user', value: 'u1' }] }] },
      },
    ]);
    expect(edge.calls).toMatchObject([{ protocol: 'http', method: 'ShouldRateLimit', code: 'OK' }]);
  });

  it.each(['POST', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('takes %s', async (method) => {
    await expect(postJson(await startHttpEdge(), { method })).resolves.toMatchObject({ status: 200 });
  });

  it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'no type'])(
    'takes a body whatever its content type: %s',
    async (type) => {
      const answer = postJson(await startHttpEdge(), { headers: { 'content-type': type } });
      await expect(answer).resolves.toMatchObject({ status: 200 });
    },
  );

  it('over limit: 429, with the denial body in raw_body', async () => {
    const edge = await deciding({
      overallCode: 'OVER_LIMIT',
      denialBody: { contentType: 'text/html', text: '<p>wait</p>' },
    });
    const answer = await postJson(edge);
    expect(answer).toMatchObject({ status: 429, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.body)).toMatchObject({
      overallCode: 'OVER_LIMIT',
      rawBody: Buffer.from('<p>wait</p>').toString('base64'),
    });
    expect(edge.calls).toMatchObject([{ code: 'OK' }]);
  });

  it('response headers of a decision are in the body and headers of the HTTP answer', async () => {
    const responseHeaders = [
      { name: 'RateLimit-Limit', value: '5' },
      { name: 'X-Note', value: 'é' },
      { name: 'Retry-After', value: '37' },
    ];
    const answer = await postJson(await deciding({ responseHeaders }));
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '5',
      'x-note': '\xc3\xa9',
      'retry-after': '37',
    });
    expect(JSON.parse(answer.body).responseHeadersToAdd).toEqual(
      responseHeaders.map(({ name, value }) => ({ key: name, value })),
    );
  });

  it('headers that would break this answer are not among its own', async () => {
    const responseHeaders = [
      { name: 'Content-Length', value: '1' },
      { name: 'Transfer-Encoding', value: 'chunked' },
      { name: 'Connection', value: 'close' },
      { name: 'x-a', value: 'b\r\nset-cookie: c=d' },
    ];
    const answer = await postJson(await deciding({ responseHeaders }));
    expect(JSON.parse(answer.body).overallCode).toBe('OK');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.body)));
  });

  it.each([
    ['INVALID_ARGUMENT', 400],
    ['PERMISSION_DENIED', 403],
    ['UNAVAILABLE', 503],
    ['DEADLINE_EXCEEDED', 504],
    ['RESOURCE_EXHAUSTED', 503],
  ] as [FailureCode, number][])('a failure %s: %i, with its text', async (code, status) => {
    const edge = await startHttpEdge(async () => ({ kind: 'failure', code, message: 'what to change' }));
    await expect(postJson(edge)).resolves.toMatchObject({
      status,
      body: 'what to change\n',
      headers: { 'content-type': 'text/plain' },
    });
    expect(edge.calls).toMatchObject([{ code }]);
    expect(edge.refusals).toEqual([]);
  });

  it('an exception: 500 with a fixed text, the rest in the log, and the service lives', async () => {
    const edge = await startHttpEdge(() => Promise.reject(new Error('secret of the inside')));
    await expect(postJson(edge)).resolves.toMatchObject({ status: 500, body: 'internal error\n' });
    await expect(postJson(edge)).resolves.toMatchObject({ status: 500 });
    expect(edge.calls).toMatchObject([{ code: 'INTERNAL' }, { code: 'INTERNAL' }]);
    expect(edge.lines).toMatchObject([{ level: 'error', err: { message: 'secret of the inside' } }]);
  });

  it.each(['not json', '', '[]', '{"colour": "red"}'])(
    'the body "%s": 400, and the limiter is not asked',
    async (body) => {
      const edge = await startHttpEdge();
      await expect(postJson(edge, { body })).resolves.toMatchObject({
        status: 400,
        body: expect.stringMatching(/^the body is no RateLimitRequest in JSON: .*\n$/),
      });
      expect(edge.requests).toEqual([]);
      expect(edge.refusals).toEqual(['INVALID_ARGUMENT']);
    },
  );

  it('no body: 400', async () => {
    const { address } = await startHttpEdge();
    await expect(httpCall({ address, path: '/json' })).resolves.toMatchObject({ status: 400 });
  });

  it('a body above the limit: 413, and counted; at the limit it is read', async () => {
    const edge = await startHttpEdge(undefined, { limits: { maxBodyBytes: 100 } });
    await expect(postJson(edge, { body: request.padEnd(101) })).resolves.toMatchObject({
      status: 413,
      body: 'Request body is too large\n',
      headers: { 'content-type': 'text/plain' },
    });
    expect(edge.refusals).toEqual(['RESOURCE_EXHAUSTED']);
    expect(edge.calls).toMatchObject([
      { protocol: 'http', method: 'ShouldRateLimit', code: 'RESOURCE_EXHAUSTED' },
    ]);
    expect(edge.requests).toEqual([]);
    await expect(postJson(edge, { body: request.padEnd(100) })).resolves.toMatchObject({ status: 200 });
    expect(edge.refusals).toHaveLength(1);
  });

  it.each([
    ['descriptors', 1_390_000, '{}', 'the request has more descriptors than the 1024 allowed'],
    [
      'entries',
      1,
      `{"entries": [${'{},'.repeat(1_390_000)}{}]}`,
      'descriptor 0 has more entries than the 256 allowed',
    ],
  ])(
    'a body of nearly 4 MiB full of %s: 400, and the limiter is not asked',
    async (_what, count, one, message) => {
      const edge = await startHttpEdge();
      const body = `{"domain": "d", "descriptors": [${Array(count).fill(one).join(',')}]}`;
      expect(body.length).toBeGreaterThan(4_100_000);
      await expect(postJson(edge, { body })).resolves.toMatchObject({ status: 400, body: `${message}\n` });
      expect(edge.requests).toEqual([]);
      expect(edge.refusals).toEqual(['INVALID_ARGUMENT']);
    },
  );
});

describe('other paths', () => {
  it('/metrics gives the text with its content type', async () => {
    const { address } = await startHttpEdge();
    await expect(httpCall({ address, path: '/metrics' })).resolves.toMatchObject({
      status: 200,
      body: 'up 1\n',
      headers: { 'content-type': 'text/plain; version=0.0.4' },
    });
  });

  it('/metrics that can not be made: 500 with a fixed text, the rest in the log', async () => {
    const edge = await startHttpEdge(undefined, {
      metrics: () => Promise.reject(new Error('a collector broke')),
    });
    await expect(httpCall({ address: edge.address, path: '/metrics' })).resolves.toMatchObject({
      status: 500,
      body: 'internal error\n',
    });
    expect(edge.lines).toMatchObject([{ path: '/metrics', err: { message: 'a collector broke' } }]);
  });

  it.each(['/', '/no-such-path', '/json/', '/rlconfig', '/%E0%A4%A'])(
    '%s: not found, or not a path',
    async (path) => {
      const { address } = await startHttpEdge();
      const answer = await httpCall({ address, path });
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers['content-type']).toContain('text/plain');
    },
  );

  it('another method than GET on a page: 404', async () => {
    const { address } = await startHttpEdge();
    await expect(httpCall({ address, path: '/healthcheck', method: 'POST' })).resolves.toMatchObject({
      status: 404,
    });
  });
});

const listening = httpOptions({
  clock: systemClock,
  log: createLogger({ level: 'fatal', format: 'json' }),
  onConnectionRefused: () => {},
});

describe('the listener of PROMETHEUS_ADDR', () => {
  it('has the metrics at its path and nothing else', async () => {
    const metricsText = async () => ({ contentType: 'text/plain', body: 'up 1\n' });
    const { address, stop } = await startMetricsServer({
      ...listening,
      path: '/stats/prometheus',
      metricsText,
    });
    onTestFinished(() => stop(0));
    await expect(httpCall({ address, path: '/stats/prometheus' })).resolves.toMatchObject({ body: 'up 1\n' });
    for (const path of ['/metrics', '/json', '/healthcheck']) {
      await expect(httpCall({ address, path })).resolves.toMatchObject({ status: 404 });
    }
  });
});
