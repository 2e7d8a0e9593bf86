import { describe, expect, it } from 'vitest';
import { httpCall } from '../../support/http-call.ts';
import { connectRaw, sendRaw } from '../../support/raw-connection.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { neverAnswers, startHttpEdge } from './start-edges.ts';

/** Times that a test can wait for. */
const soon = { checkIntervalMs: 10, headersTimeoutMs: 100, requestTimeoutMs: 100, answerTimeoutMs: 100 };
const never = { headersTimeoutMs: 600_000, requestTimeoutMs: 600_000, answerTimeoutMs: 600_000 };

const closing = 'GET /livez HTTP/1.1\r\nhost: weir\r\nconnection: close\r\n';
const keeping = 'GET /livez HTTP/1.1\r\nhost: weir\r\n\r\n';
const body = JSON.stringify({ domain: 'd', descriptors: [{ entries: [{ key: 'k', value: 'v' }] }] });
const question = `POST /json HTTP/1.1\r\nhost: weir\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe('time', () => {
  it('fields that come octet by octet: 408, and the connection is closed', async () => {
    const { address } = await startHttpEdge(undefined, { limits: { ...never, ...soon } });
    const connection = await connectRaw(address);
    connection.socket.write('GET /livez HTTP/1.1\r\nhost: weir\r\nx: ');
    expect(statusOf(await connection.dripUntilClosed('slow'))).toBe(408);
  });

  it('a connection that says nothing is closed', async () => {
    const { address } = await startHttpEdge(undefined, { limits: { ...never, ...soon } });
    expect(statusOf(await sendRaw(address, ''))).toBe(408);
  });

  it('a body that comes octet by octet: 408, and the limiter is not asked', async () => {
    const limits = { ...soon, answerTimeoutMs: 600_000 };
    const edge = await startHttpEdge(undefined, { limits });
    const connection = await connectRaw(edge.address);
    connection.socket.write('POST /json HTTP/1.1\r\nhost: weir\r\ncontent-length: 100000\r\n\r\n{');
    expect(statusOf(await connection.dripUntilClosed('slow'))).toBe(408);
    expect(edge.requests).toEqual([]);
    // Nobody is to act on what a client does.
    expect(edge.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('an answer that does not come: the connection is closed', async () => {
    const limits = { ...never, answerTimeoutMs: 300 };
    const edge = await startHttpEdge(neverAnswers, { limits });
    expect(await sendRaw(edge.address, question)).toBe('');
    expect(edge.requests).toHaveLength(1);
  });

  it('an answer that is not taken is given up', async () => {
    const limits = { ...never, answerTimeoutMs: 300, maxConnections: 1 };
    const large = 'x'.repeat(64 * 1024 * 1024);
    const { address } = await startHttpEdge(undefined, { limits, metrics: async () => large });
    const connection = await connectRaw(address);
    connection.socket.pause();
    connection.socket.write('GET /metrics HTTP/1.1\r\nhost: weir\r\n\r\n');
    // There is room for another only when this one has gone.
    await waitUntil('room', async () => (await httpCall({ address, path: '/livez' })).status === 200);
  });

  it('an idle connection is closed', async () => {
    const { address } = await startHttpEdge(undefined, { limits: { ...never, keepAliveTimeoutMs: 50 } });
    expect(statusOf(await sendRaw(address, keeping))).toBe(200);
  });
});

describe('size', () => {
  it('more octets of fields than are allowed: 431', async () => {
    const { address } = await startHttpEdge();
    const withOctets = (count: number) => `${closing}x: ${'y'.repeat(count)}\r\n\r\n`;
    expect(statusOf(await sendRaw(address, withOctets(16_000)))).toBe(200);
    expect(statusOf(await sendRaw(address, withOctets(16_400)))).toBe(431);
  });

  it('more fields than are allowed: 431, and the connection is closed', async () => {
    const { address } = await startHttpEdge();
    const withFields = (start: string, count: number) => `${start}${'a: b\r\n'.repeat(count)}\r\n`;
    expect(statusOf(await sendRaw(address, withFields(closing, 126)))).toBe(200);
    expect(statusOf(await sendRaw(address, withFields(closing, 127)))).toBe(431);
    const open = 'GET /livez HTTP/1.1\r\nhost: weir\r\n';
    expect(statusOf(await sendRaw(address, withFields(open, 3_000)))).toBe(431);
  });

  it('fields after the body count like those before', async () => {
    const { address } = await startHttpEdge();
    const chunked = 'POST /json HTTP/1.1\r\nhost: weir\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n';
    expect(statusOf(await sendRaw(address, `${chunked}${'a: b\r\n'.repeat(3_000)}\r\n`))).toBe(431);
  });

  it('a body in pieces that becomes too large: 413', async () => {
    const edge = await startHttpEdge(undefined, { limits: { maxBodyBytes: 100 } });
    const chunk = `40\r\n${' '.repeat(64)}\r\n`;
    const start =
      'POST /json HTTP/1.1\r\nhost: weir\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
    expect(statusOf(await sendRaw(edge.address, `${start}${chunk.repeat(2)}0\r\n\r\n`))).toBe(413);
    expect(edge.requests).toEqual([]);
  });
});

describe('number', () => {
  it('connections beyond HTTP_MAX_CONNECTIONS are closed at once and counted, and others go on', async () => {
    const edge = await startHttpEdge(undefined, { limits: { maxConnections: 2 } });
    const [first, second] = [await connectRaw(edge.address), await connectRaw(edge.address)];
    for (const connection of [first, second]) connection.socket.write(keeping);
    await waitUntil('both answers', () => [first, second].every((one) => statusOf(one.text()) === 200));

    expect(await sendRaw(edge.address, keeping)).toBe('');
    expect(await sendRaw(edge.address, keeping)).toBe('');
    expect(edge.refusedConnections()).toBe(2);
    expect(edge.lines.filter(({ '@message': message }) => message === 'refused a connection')).toMatchObject([
      { level: 'warning', peer: '127.0.0.1', reason: 'there are 2 connections already' },
    ]);
    second.socket.write(keeping);
    await waitUntil('another answer', () => second.text().split('HTTP/1.1 200').length === 3);

    first.socket.destroy();
    await waitUntil('room', async () => {
      const { status } = await httpCall({ address: edge.address, path: '/livez' });
      return status === 200;
    });
  });

  it('requests that are sent ahead are answered in order, up to a number', async () => {
    const { address } = await startHttpEdge();
    const connection = await connectRaw(address);
    connection.socket.write(question.repeat(15) + keeping);
    await waitUntil('the last answer', () => connection.text().endsWith('OK'));
    expect(connection.text().match(/HTTP\/1\.1 200/g)).toHaveLength(16);
  });

  it('with more of them at once the connection is closed, and no more of them are decided', async () => {
    const edge = await startHttpEdge(neverAnswers);
    expect(await sendRaw(edge.address, question.repeat(1_000))).toBe('');
    expect(edge.requests.length).toBeLessThanOrEqual(16);
    await expect(httpCall({ address: edge.address, path: '/livez' })).resolves.toMatchObject({ status: 200 });
  });

  it('any number of them may come one after another', async () => {
    const { address } = await startHttpEdge();
    const connection = await connectRaw(address);
    for (let count = 1; count <= 20; count += 1) {
      connection.socket.write(keeping);
      await waitUntil('the answer', () => connection.text().split('HTTP/1.1 200').length === count + 1);
    }
  });
});

describe('what is no request', () => {
  it.each([
    ['an unknown method', 'BREW /livez HTTP/1.1\r\nhost: weir\r\n\r\n', 400],
    ['a method of others', 'PROPFIND /livez HTTP/1.1\r\nhost: weir\r\nconnection: close\r\n\r\n', 404],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no host', 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    [
      'two lengths of a body',
      'POST /json HTTP/1.1\r\nhost: weir\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a field that ends in a bare LF', 'GET /livez HTTP/1.1\r\nhost: weir\na: b\r\n\r\n', 400],
  ])('%s: refused, and the connection is closed', async (_what, request, status) => {
    const { address } = await startHttpEdge();
    expect(statusOf(await sendRaw(address, request))).toBe(status);
  });

  it('a tunnel is not made', async () => {
    const { address } = await startHttpEdge();
    expect(await sendRaw(address, 'CONNECT weir:1 HTTP/1.1\r\nhost: weir:1\r\n\r\n')).toBe('');
  });

  it('another protocol is not turned to', async () => {
    const { address } = await startHttpEdge();
    const upgrade =
      'GET /livez HTTP/1.1\r\nhost: weir\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n';
    expect(statusOf(await sendRaw(address, upgrade))).toBe(200);
  });
});

it('an address by the name localhost is that of IPv4, so that there is one server with one set of limits', async () => {
  const { address } = await startHttpEdge(undefined, { host: 'localhost' });
  expect(address).toMatch(/^127\.0\.0\.1:/);
});
