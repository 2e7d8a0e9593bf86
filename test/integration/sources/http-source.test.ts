import { describe, expect, it } from 'vitest';
import { describeConfigSource } from '../../case/config-source.case.ts';
import { freePort } from '../../support/free-port.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { httpSource, startServer } from './http-fixture.ts';
import { reasonIn, rulesFile } from './rules-files.ts';

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
  return { source: httpSource({ urls: names.map((name) => `${server.origin}/${name}.yaml`) }).source, set };
});

it('a state whose receiver failed is delivered again', async () => {
  const server = await startServer();
  server.set('/shop.yaml', rulesFile('shop', 1));
  const { source, events } = httpSource({ urls: [`${server.origin}/shop.yaml`] });
  const stopping = new AbortController();
  let attempts = 0;
  await source.run(async ({ version, issues }) => {
    attempts += 1;
    if (attempts === 1) throw new Error('out of order');
    stopping.abort();
    return { kind: 'applied', version, issues };
  }, stopping.signal);
  expect(attempts).toBe(2);
  expect(events).toEqual([{ kind: 'delivery-failed', error: new Error('out of order') }]);
});

describe('a URL', () => {
  it('is asked for with what is known of it, and not taken again', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1), { 'last-modified': 'Mon, 30 Nov 2026 10:00:00 GMT' });
    const running = runConfigSource(httpSource({ urls: [`${server.origin}/shop.yaml?version=7`] }).source);
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
    const running = runConfigSource(httpSource({ urls: [server.origin] }).source);
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
    const running = runConfigSource(httpSource({ urls: [`${server.origin}/shop.yaml?secret=s`] }).source);
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
    const { source, events } = httpSource({ urls });
    const running = runConfigSource(source);
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    server.set('/shop.yaml', undefined);
    server.set('/blog.yaml', rulesFile('blog', 2));
    await running.untilLimits('blog.ip: 2', 'shop.ip: 1');
    expect(await reasonIn(events)).toBe(`${server.origin}/shop.yaml: HTTP status 404`);
  });

  it('that fails for long does not have the others be looked at more seldom', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1));
    server.set('/blog.yaml', rulesFile('blog', 1));
    const urls = [`${server.origin}/shop.yaml`, `${server.origin}/blog.yaml`];
    const retry = { initialMs: 3_600_000, maxMs: 3_600_000, jitter: 0 };
    const { source, events } = httpSource({ urls, retry });
    const running = runConfigSource(source);
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    server.set('/shop.yaml', undefined);
    await reasonIn(events);
    for (const limit of [2, 3]) {
      server.set('/blog.yaml', rulesFile('blog', limit));
      await running.untilLimits(`blog.ip: ${limit}`, 'shop.ip: 1');
    }
  });

  it('that has never answered holds back all: its domains would be without limits', async () => {
    const server = await startServer();
    server.set('/shop.yaml', rulesFile('shop', 1));
    const urls = [`${server.origin}/shop.yaml`, `${server.origin}/blog.yaml`];
    const { source, events } = httpSource({ urls });
    const running = runConfigSource(source);
    expect(await reasonIn(events)).toBe(`${server.origin}/blog.yaml: HTTP status 404`);
    expect(running.limits()).toBeUndefined();
    server.set('/blog.yaml', rulesFile('blog', 1));
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
  });

  it('is tried again when its server is away, and says when it is back', async () => {
    const port = await freePort();
    const { source, events } = httpSource({ urls: [`http://127.0.0.1:${port}/shop.yaml`] });
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
