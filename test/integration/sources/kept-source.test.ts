import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpSource } from '../../../src/config/http/http-source.ts';
import { createKeptSource, type KeptSourceEvent } from '../../../src/config/kept/kept-source.ts';
import { type DocumentServer, startDocumentServer } from '../../support/document-server.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { temporaryDirectory } from '../config/temporary-directory.ts';
import { promptly, rulesFile } from './rules-files.ts';

interface Kept {
  readonly path: string;
  readonly identity?: string;
  readonly names?: readonly string[];
}

/** Files of a server, kept at a path. */
function start(server: DocumentServer, { path, identity = 'here', names = ['shop', 'blog'] }: Kept) {
  const events: KeptSourceEvent[] = [];
  const source = createHttpSource({
    urls: names.map((name) => new URL(`${server.origin}/${name}`)),
    pollIntervalMs: 20,
    request: () => ({ headers: {}, tls: undefined, timeoutMs: 5_000, maxBytes: 1_000_000 }),
    checksum: { kind: 'none' },
    retry: promptly,
    withContent: true,
    onEvent: () => {},
  });
  const kept = createKeptSource(source, {
    path,
    identity,
    clock: fakeClock(),
    retry: promptly,
    onEvent: (event) => events.push(event),
  });
  return { ...runConfigSource(kept), events, kinds: () => events.map(({ kind }) => kind) };
}

async function prepare() {
  const server = await startDocumentServer();
  onTestFinished(() => server.stop());
  server.set('/shop', rulesFile('shop', 1));
  server.set('/blog', rulesFile('blog', 1));
  const path = join(await temporaryDirectory(), 'http.snapshot');
  const isKept = (text: string) =>
    waitUntil(`${text} to be kept`, async () => (await readFile(path, 'utf8')).includes(text));
  /** Runs until both files are kept, and ends. */
  const keep = async () => {
    const running = start(server, { path });
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    await isKept('requests_per_unit: 1');
    await running.stop();
  };
  return { server, path, isKept, keep };
}

describe('the last good rules of a source', () => {
  it('are in force after a restart while the source is away, and replaced when it answers', async () => {
    const { server, path, keep, isKept } = await prepare();
    await keep();
    server.answerWith((_, response) => void response.writeHead(503).end());
    const running = start(server, { path });
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    await waitUntil('the event', () => running.kinds().length > 0);
    expect(running.kinds()).toEqual(['restored']);
    server.set('/shop', rulesFile('shop', 2));
    server.answerWith(undefined);
    await running.untilLimits('blog.ip: 1', 'shop.ip: 2');
    await isKept('requests_per_unit: 2');
    expect(running.kinds()).toEqual(['restored', 'live']);
  });

  it('stand for the answer of a URL that is away, so that the others count as they are', async () => {
    const { server, path, keep, isKept } = await prepare();
    await keep();
    server.set('/shop', undefined);
    server.set('/blog', rulesFile('blog', 2));
    const second = start(server, { path });
    await second.untilLimits('blog.ip: 2', 'shop.ip: 1');
    await isKept('requests_per_unit: 2');
    await second.stop();
    server.set('/blog', rulesFile('blog', 3));
    await start(server, { path }).untilLimits('blog.ip: 3', 'shop.ip: 1');
  });

  it('are no load again when the source has the same', async () => {
    const { server, path, keep } = await prepare();
    await keep();
    const running = start(server, { path });
    await waitUntil('the answer', () => running.kinds().includes('live'));
    expect(running.loads).toHaveLength(1);
  });

  it('are those of each file: one that is broken is kept as it was, and has its rules after a restart', async () => {
    const { server, path, keep, isKept } = await prepare();
    await keep();
    server.set('/shop', rulesFile('shop', undefined));
    server.set('/blog', rulesFile('blog', 7));
    const second = start(server, { path });
    await second.untilLimits('blog.ip: 7', 'shop.ip: 1');
    await isKept('requests_per_unit: 7');
    await second.stop();
    server.answerWith((_, response) => void response.writeHead(503).end());
    await start(server, { path }).untilLimits('blog.ip: 7', 'shop.ip: 1');
  });

  it('are what was in force, and not the half of a domain that two files have now', async () => {
    const { server, path, isKept } = await prepare();
    const names = ['a', 'b', 'c'];
    server.set('/a', 'gone');
    server.set('/b', rulesFile('shop', 1));
    server.set('/c', rulesFile('blog', 1));
    const running = start(server, { path, names });
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    await isKept('shop');
    server.set('/a', rulesFile('shop', 5));
    await waitUntil('the clash', () =>
      running.loads.at(-1)?.issues.some(({ severity }) => severity === 'error'),
    );
    server.set('/b', rulesFile('shop', 6));
    server.set('/c', rulesFile('blog', 7));
    await running.untilLimits('blog.ip: 7', 'shop.ip: 1');
    await isKept('requests_per_unit: 7');
    await running.stop();
    server.answerWith((_, response) => void response.writeHead(503).end());
    await start(server, { path, names }).untilLimits('blog.ip: 7', 'shop.ip: 1');
  });

  it('stay kept when the source has nothing good', async () => {
    const { server, path, keep } = await prepare();
    await keep();
    const before = await readFile(path);
    server.set('/shop', rulesFile('shop', undefined));
    server.set('/blog', rulesFile('blog', undefined));
    const running = start(server, { path });
    await waitUntil('the refusal', () => running.loads.at(-1)?.result.kind === 'rejected');
    expect(running.limits()).toEqual(['blog.ip: 1', 'shop.ip: 1']);
    await running.stop();
    expect(await readFile(path)).toEqual(before);
  });

  it('are not used from another source', async () => {
    const { server, path, keep } = await prepare();
    await keep();
    server.answerWith((_, response) => void response.writeHead(503).end());
    const running = start(server, { path, identity: 'elsewhere' });
    await waitUntil('the event', () => running.events.length > 0);
    expect(running.events).toEqual([{ kind: 'restore-failed', reason: 'it is of another source: here' }]);
    expect(running.limits()).toBeUndefined();
  });

  it('are in force although they cannot be kept', async () => {
    const { server } = await prepare();
    const running = start(server, { path: '/dev/null/http.snapshot' });
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    await waitUntil('the event', () => running.kinds().includes('keep-failed'));
    expect(running.events.at(-1)).toMatchObject({ reason: expect.stringContaining('/dev/null') });
  });

  it('are kept as soon as that can be done again, with what they had before of a file that is broken', async () => {
    const { server } = await prepare();
    const folder = join(await temporaryDirectory(), 'full');
    await writeFile(folder, 'no folder');
    const path = join(folder, 'http.snapshot');
    const running = start(server, { path });
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    server.set('/shop', rulesFile('shop', undefined));
    server.set('/blog', rulesFile('blog', 7));
    await running.untilLimits('blog.ip: 7', 'shop.ip: 1');
    await waitUntil(
      'several tries',
      () => running.kinds().filter((kind) => kind === 'keep-failed').length > 3,
    );
    await rm(folder);
    await waitUntil('the file', async () => (await stat(path).catch(() => undefined)) !== undefined);
    await running.stop();
    server.answerWith((_, response) => void response.writeHead(503).end());
    await start(server, { path }).untilLimits('blog.ip: 7', 'shop.ip: 1');
  });
});
