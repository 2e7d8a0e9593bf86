import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpDocumentOptions } from '../../../src/config/http/http-document.ts';
import { createHttpSource } from '../../../src/config/http/http-source.ts';
import type { RemoteSourceEvent } from '../../../src/config/remote/remote-source.ts';
import { describeConfigSource } from '../../case/config-source.case.ts';
import { type DocumentServer, startDocumentServer } from '../../support/document-server.ts';
import { freePort } from '../../support/free-port.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { promptly, reasonIn, rulesFile } from './rules-files.ts';

async function startServer(port?: number): Promise<DocumentServer> {
  const server = await startDocumentServer(port === undefined ? {} : { port });
  onTestFinished(() => server.stop());
  return server;
}

interface Asked extends Partial<HttpDocumentOptions> {
  readonly urls: readonly string[];
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

function sourceOf({ urls, timeoutMs = 5_000, maxBytes = 1_000_000, checksum = { kind: 'none' } }: Asked) {
  const events: RemoteSourceEvent[] = [];
  const source = createHttpSource({
    urls: urls.map((url) => new URL(url)),
    pollIntervalMs: 20,
    retry: promptly,
    request: () => ({ headers: { authorization: 'Bearer t' }, tls: undefined, timeoutMs, maxBytes }),
    checksum,
    onEvent: (event) => events.push(event),
  });
  return { source, events };
}

describeConfigSource('A list of URLs', async (domains) => {
  const server = await startServer();
  const names = ['shop', 'blog', 'wiki'];
  const set = async (wanted: Readonly<Record<string, number | undefined>>) => {
    // Between two looks: a look in which one file is old and one is new would be a state of its own.
    await waitUntil('the end of a look', () => server.requests.length % names.length === 0);
    for (const name of names) {
      server.set(`/${name}.yaml`, name in wanted ? rulesFile(name, wanted[name]) : 'gone');
    }
  };
  await set(domains);
  return { source: sourceOf({ urls: names.map((name) => `${server.origin}/${name}.yaml`) }).source, set };
});

describe('a URL', () => {
  it('is asked for with what is known of it, and not taken again', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1), { 'last-modified': 'Mon, 30 Nov 2026 10:00:00 GMT' });
    const running = runConfigSource(sourceOf({ urls: [`${server.origin}/shop.yaml?version=7`] }).source);
    await running.untilLimits('shop.ip: 1');
    const [first, second] = await waitUntil(
      'a second look',
      () => server.requests.length > 1 && server.requests,
    );
    expect(first?.headers).toMatchObject({ authorization: 'Bearer t', 'accept-encoding': 'identity' });
    expect(first?.headers).not.toHaveProperty('if-none-match');
    expect(second?.headers).toMatchObject({
      'if-none-match': expect.stringMatching(/^"[0-9a-f]{16}"$/),
      'if-modified-since': 'Mon, 30 Nov 2026 10:00:00 GMT',
    });
    expect(second?.status).toBe(304);
    expect(running.loads).toHaveLength(1);
  });

  it('that knows no ETag is told apart by its content', async () => {
    const server = await startServer();
    let limit = 1;
    server.answerWith((_, response) => void response.end(rulesFile('shop', limit)));
    const running = runConfigSource(sourceOf({ urls: [server.origin] }).source);
    await running.untilLimits('shop.ip: 1');
    const looks = server.requests.length;
    await waitUntil('two more looks', () => server.requests.length > looks + 2);
    expect(running.loads).toHaveLength(1);
    limit = 2;
    await running.untilLimits('shop.ip: 2');
  });

  it('is named in issues without its query, which may be a signature', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', undefined));
    const running = runConfigSource(sourceOf({ urls: [`${server.origin}/shop.yaml?secret=s`] }).source);
    const [load] = await waitUntil('a load', () => running.loads.length > 0 && running.loads);
    expect(load?.result).toMatchObject({
      kind: 'rejected',
      issues: [{ file: `${server.origin}/shop.yaml` }],
    });
  });

  it('that fails keeps what it had, and does not hold back another', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1));
    server.set('/blog.yaml', rulesFile('blog', 1));
    const urls = [`${server.origin}/shop.yaml`, `${server.origin}/blog.yaml`];
    const { source, events } = sourceOf({ urls });
    const running = runConfigSource(source);
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    server.set('/shop.yaml', undefined);
    server.set('/blog.yaml', rulesFile('blog', 2));
    await running.untilLimits('blog.ip: 2', 'shop.ip: 1');
    expect(await reasonIn(events)).toBe(`${server.origin}/shop.yaml: HTTP status 404`);
  });

  it('that has never answered holds back all: its domains would be without limits', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1));
    const urls = [`${server.origin}/shop.yaml`, `${server.origin}/blog.yaml`];
    const { source, events } = sourceOf({ urls });
    const running = runConfigSource(source);
    expect(await reasonIn(events)).toBe(`${server.origin}/blog.yaml: HTTP status 404`);
    expect(running.limits()).toBeUndefined();
    server.set('/blog.yaml', rulesFile('blog', 1));
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
  });

  it('is tried again when its server is away, and says when it is back', async () => {
    const port = await freePort();
    const { source, events } = sourceOf({ urls: [`http://127.0.0.1:${port}/shop.yaml`] });
    const running = runConfigSource(source);
    expect(await reasonIn(events)).toContain('ECONNREFUSED');
    const server = await startServer(port);
    server.set('/shop.yaml', rulesFile('shop', 1));
    await running.untilLimits('shop.ip: 1');
    await waitUntil('the event', () => events.at(-1)?.kind === 'connected');
    await server.stop();
    await waitUntil('the loss', () => events.at(-1)?.kind === 'disconnected');
    expect(running.limits()).toEqual(['shop.ip: 1']);
  });
});

describe('a server that is', () => {
  it.each<[string, string, (server: DocumentServer) => void]>([
    ['silent', 'no whole answer within 0.2 s', (server) => server.answerWith(() => {})],
    [
      'endlessly slow',
      'no whole answer within 0.2 s',
      (server) =>
        server.answerWith((_, response) => {
          const drip = setInterval(() => response.write('#'), 10);
          response.once('close', () => clearInterval(drip));
        }),
    ],
    [
      'boundless',
      'the answer has more than 1000 bytes',
      (server) => server.answerWith((_, response) => void response.end('#'.repeat(100_000))),
    ],
    [
      'packing',
      'the answer is packed (gzip)',
      (server) =>
        server.answerWith(
          (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
        ),
    ],
    [
      'breaking off',
      'aborted',
      (server) =>
        server.answerWith((_, response) => {
          response.writeHead(200, { 'content-length': '100' }).write('#');
          setImmediate(() => response.destroy());
        }),
    ],
    [
      'pointing elsewhere',
      'HTTP status 302; redirects are not followed',
      (server) => server.answerWith((_, response) => void response.writeHead(302, { location: '/x' }).end()),
    ],
    [
      'sure that we know it',
      'HTTP status 304',
      (server) => server.answerWith((_, response) => void response.writeHead(304).end()),
    ],
  ])('%s is given up on', async (_, reason, prepare) => {
    const server = await startServer();
    prepare(server);
    const { source, events } = sourceOf({ urls: [`${server.origin}/a`], timeoutMs: 200, maxBytes: 1_000 });
    const running = runConfigSource(source);
    expect(await reasonIn(events)).toContain(reason);
    expect(running.limits()).toBeUndefined();
  });
});

describe('a checksum', () => {
  const text = rulesFile('shop', 1);
  const hex = createHash('sha256').update(text).digest('hex');
  const base64 = Buffer.from(hex, 'hex').toString('base64');
  const header = { kind: 'header', name: 'x-sum' } as const;
  const beside = { kind: 'suffix', suffix: '.sha256' } as const;

  it.each([
    ['in hexadecimal', hex],
    ['in base64', base64],
    ['as a dictionary of digests', `sha-512=:AAAA:, sha-256=:${base64}:`],
  ])('%s in a header has to be right', async (_, value) => {
    const server = await startServer();
    server.set('/a', text, { 'x-sum': value });
    const { source, events } = sourceOf({ urls: [`${server.origin}/a`], checksum: header });
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 1');
    server.set('/a', rulesFile('shop', 2), { 'x-sum': value });
    expect(await reasonIn(events)).toContain('the content has another SHA-256 than is said');
    expect(running.limits()).toEqual(['shop.ip: 1']);
  });

  it('in a file beside it has to be right', async () => {
    const server = await startServer();
    server.set('/a', text);
    server.set('/a.sha256', `${'0'.repeat(64)}  a\n`);
    const { source, events } = sourceOf({ urls: [`${server.origin}/a?x=1`], checksum: beside });
    const running = runConfigSource(source);
    expect(await reasonIn(events)).toContain('the content has another SHA-256 than is said');
    server.set('/a.sha256', `${hex}  a\n`);
    await running.untilLimits('shop.ip: 1');
  });

  it.each([
    [header, 'the header x-sum has no SHA-256'],
    [beside, 'its checksum file: HTTP status 404'],
  ])('that is missing is a failure: %o', async (checksum, reason) => {
    const server = await startServer();
    server.set('/a', text);
    const { source, events } = sourceOf({ urls: [`${server.origin}/a`], checksum });
    runConfigSource(source);
    expect(await reasonIn(events)).toContain(reason);
  });
});
