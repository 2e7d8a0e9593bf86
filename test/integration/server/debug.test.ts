import { describe, expect, it } from 'vitest';
import { httpCall } from '../../support/http-call.ts';
import { sendRaw } from '../../support/raw-connection.ts';
import { type DebugEdge, debugToken, startDebugEdge } from './start-debug.ts';

function get({ address }: DebugEdge, path = '/rlconfig', headers: Record<string, string> = {}) {
  return httpCall({ address, path, headers });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the debug listener', () => {
  it('lists its pages, sorted, and shows the rules in force at that moment', async () => {
    let lines = '';
    const edge = await startDebugEdge({ rlconfig: () => lines });
    await expect(get(edge, '/')).resolves.toMatchObject({
      status: 200,
      body: `/: this list
/counters/get: POST {domain, descriptor}: the counters of a descriptor
/counters/grant: POST {domain, descriptor, hits}: gives hits beyond what was used
/counters/reset: POST {domain, descriptor}: as if nobody had come
/rlconfig: the limits in force, one a line
`,
    });
    await expect(get(edge)).resolves.toMatchObject({ status: 200, body: '' });
    lines = 'd.k: unit=DAY requests_per_unit=1, shadow_mode: false, quota_mode: false\n';
    await expect(get(edge)).resolves.toMatchObject({ status: 200, body: lines });
  });

  it.each([
    '/json',
    '/metrics',
    '/stats',
    '/debug/pprof/',
    '/debug/pprof/profile',
    '/debug/vars',
    '/reset_counters',
  ])('X06: has nothing to measure the process or to reset all counters: %s is 404', async (path) => {
    const edge = await startDebugEdge();
    await expect(get(edge, path)).resolves.toMatchObject({ status: 404 });
  });

  it('X06: shows the rules and changes none: other methods than GET and HEAD are 404', async () => {
    const { address } = await startDebugEdge();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      await expect(httpCall({ address, path: '/rlconfig', method })).resolves.toMatchObject({ status: 404 });
    }
  });
});

describe('a token', () => {
  it.each(['/', '/rlconfig', '/no-such-page'])('X06: nobody sees %s without it', async (path) => {
    const edge = await startDebugEdge({ token: debugToken });
    await expect(get(edge, path)).resolves.toMatchObject({
      status: 401,
      body: 'no token\n',
      headers: { 'www-authenticate': 'Bearer realm="debug"' },
    });
  });

  it.each([
    ['a wrong one', bearer('correct-horse-battery-stable')],
    ['a part of it', bearer(debugToken.slice(0, -1))],
    ['more than it', bearer(`${debugToken}x`)],
    ['another case', bearer(debugToken.toUpperCase())],
  ])('X06: nor with %s', async (_what, headers) => {
    const edge = await startDebugEdge({ token: debugToken });
    await expect(get(edge, '/rlconfig', headers)).resolves.toMatchObject({
      status: 401,
      body: 'wrong token\n',
      headers: { 'www-authenticate': 'Bearer realm="debug", error="invalid_token"' },
    });
  });

  it.each([
    ['as a password', { authorization: `Basic ${Buffer.from(`:${debugToken}`).toString('base64')}` }],
    ['without its scheme', { authorization: debugToken }],
    ['in two words', bearer(`${debugToken} ${debugToken}`)],
    ['nothing', bearer('')],
  ])('X06: nor with %s', async (_what, headers) => {
    const edge = await startDebugEdge({ token: debugToken });
    await expect(get(edge, '/rlconfig', headers)).resolves.toMatchObject({ status: 401, body: 'no token\n' });
  });

  it('nor in the address, where logs of proxies would have it', async () => {
    const edge = await startDebugEdge({ token: debugToken });
    await expect(get(edge, `/rlconfig?access_token=${debugToken}`)).resolves.toMatchObject({ status: 401 });
  });

  it.each(['Bearer', 'bearer', 'BEARER '])('with it they do: %s', async (scheme) => {
    const edge = await startDebugEdge({ token: debugToken });
    const headers = { authorization: `${scheme} ${debugToken}` };
    await expect(get(edge, '/rlconfig', headers)).resolves.toMatchObject({
      status: 200,
      body: 'the rules\n',
    });
    await expect(get(edge, '/no-such-page', headers)).resolves.toMatchObject({ status: 404 });
  });

  it('a body is not waited for before it is asked for', async () => {
    const { address } = await startDebugEdge({ token: debugToken });
    const request = 'POST / HTTP/1.1\r\nhost: weir\r\ncontent-length: 1000000\r\nconnection: close\r\n\r\n';
    expect(await sendRaw(address, request)).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('X06: audit entries', () => {
  it('say who read which page', async () => {
    const edge = await startDebugEdge({ token: debugToken });
    for (const path of ['/', '/rlconfig', '/rlconfig?x', '/no-such-page'])
      await get(edge, path, bearer(debugToken));
    const read = { level: 'info', '@message': 'a debug page was read', peer: '127.0.0.1' };
    expect(edge.lines).toMatchObject([
      { ...read, page: '/' },
      { ...read, page: '/rlconfig' },
    ]);
    expect(JSON.stringify(edge.lines)).not.toContain(debugToken);
  });

  it('say who was refused, and are few', async () => {
    const edge = await startDebugEdge({ token: debugToken });
    const wrong = 'a-token-of-somebody-else';
    for (let i = 0; i < 5; i += 1) {
      await get(edge);
      await get(edge, '/rlconfig', bearer(wrong));
      await get(edge, `/%0a${i}`);
    }
    const refused = { level: 'warning', '@message': 'a debug page was refused', peer: '127.0.0.1' };
    expect(edge.lines.slice(0, 3)).toMatchObject([
      { ...refused, page: '/rlconfig', reason: 'no token' },
      { ...refused, page: '/rlconfig', reason: 'wrong token' },
      { ...refused, reason: 'no token' },
    ]);
    expect(edge.lines.length).toBeLessThan(15);
    expect(JSON.stringify(edge.lines)).not.toContain(wrong);
  });
});

describe('a page in a browser on the same machine', () => {
  it.each(['evil.example', 'evil.example:6070', 'localhost.evil.example', '127.0.0.1.evil.example'])(
    'that has its own name "%s" lead here reads nothing',
    async (host) => {
      const edge = await startDebugEdge({ onlyThisMachine: true });
      await expect(get(edge, '/rlconfig', { host })).resolves.toMatchObject({
        status: 403,
        body: expect.stringMatching(/^asked for by the name of another host/),
      });
      expect(edge.lines).toMatchObject([{ '@message': 'a debug page was refused', page: '/rlconfig' }]);
    },
  );

  it.each([
    'localhost',
    'localhost:16070',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.1:6070',
    '[::1]:6070',
    '10.0.0.7',
  ])('while whoever asks %s does', async (host) => {
    const edge = await startDebugEdge({ onlyThisMachine: true });
    await expect(get(edge, '/rlconfig', { host })).resolves.toMatchObject({ status: 200 });
  });

  it('and where others may ask, by whatever name they know', async () => {
    const edge = await startDebugEdge({ token: debugToken });
    const headers = { host: 'weir.limits.svc', ...bearer(debugToken) };
    await expect(get(edge, '/rlconfig', headers)).resolves.toMatchObject({ status: 200 });
  });
});
