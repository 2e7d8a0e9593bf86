import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DocumentServer } from '../../support/document-server.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { httpSource, startServer } from './http-fixture.ts';
import { reasonIn, rulesFile } from './rules-files.ts';

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
      'HTTP status 304, though it was asked for whatever there is',
      (server) => server.answerWith((_, response) => void response.writeHead(304).end()),
    ],
  ])('%s is given up on', async (_, reason, prepare) => {
    const server = await startServer();
    prepare(server);
    // Only those that never answer are to be waited for.
    const timeoutMs = reason.includes('within') ? 200 : 20_000;
    const { source, events } = httpSource({ urls: [`${server.origin}/a`], timeoutMs, maxBytes: 1_000 });
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
    const { source, events } = httpSource({ urls: [`${server.origin}/a`], checksum: header });
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
    const { source, events } = httpSource({ urls: [`${server.origin}/a?x=1`], checksum: beside });
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
    const { source, events } = httpSource({ urls: [`${server.origin}/a`], checksum });
    runConfigSource(source);
    expect(await reasonIn(events)).toContain(reason);
  });
});
