import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConsulSourceOptions, createConsulSource } from '../../../src/config/consul/consul-source.ts';
import { createKeptSource, type KeptSourceEvent } from '../../../src/config/kept/kept-source.ts';
import type { RemoteSourceEvent } from '../../../src/config/remote/remote-source.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { type CreateOrigin, describeConfigSource } from '../../case/config-source.case.ts';
import { type FakeConsul, startFakeConsul } from '../../support/fake-consul.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { temporaryDirectory } from '../config/temporary-directory.ts';
import { promptly, reasonIn, rulesFile } from './rules-files.ts';

function sourceOf(address: string, options: Partial<ConsulSourceOptions> = {}, token?: string) {
  const events: RemoteSourceEvent[] = [];
  const source = createConsulSource({
    address: new URL(address),
    prefix: 'weir/',
    datacenter: undefined,
    waitMs: 60_000,
    request: () => ({ tls: undefined, token }),
    timeoutMs: 5_000,
    clock: systemClock,
    retry: promptly,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { source, events };
}

async function startServer(port?: number): Promise<FakeConsul> {
  const server = await startFakeConsul(port);
  onTestFinished(() => server.stop());
  return server;
}

const createOrigin: CreateOrigin = async (domains) => {
  const consul = await startServer();
  let keys: readonly string[] = [];
  const set = async (wanted: Readonly<Record<string, number | undefined>>) => {
    const gone = Object.fromEntries(keys.map((key) => [key, undefined]));
    const there = Object.fromEntries(
      Object.entries(wanted).map(([domain, limit]) => [`weir/${domain}`, rulesFile(domain, limit)]),
    );
    consul.put({ ...gone, ...there });
    keys = Object.keys(there);
  };
  await set(domains);
  return { source: sourceOf(consul.address, { withContent: true }).source, set };
};

describeConfigSource("A prefix of Consul's keys", createOrigin);

describeConfigSource('The same, kept on disk,', async (domains) => {
  const { source, set } = await createOrigin(domains);
  const path = join(await temporaryDirectory(), 'consul.snapshot');
  const onEvent = ({ kind }: KeptSourceEvent) => expect(kind).toBe('live');
  const options = { path, identity: 'test', clock: systemClock, retry: promptly, onEvent };
  return { source: createKeptSource(source, options), set };
});

describe('a Consul', () => {
  it('is asked once for what is there, and then for what comes after it', async () => {
    const consul = await startServer();
    consul.put({ 'weir/': '', 'weir/shop': rulesFile('shop', 1), other: 'x' });
    const { source } = sourceOf(consul.address, { datacenter: 'dc2' }, 'a-token');
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 1');
    consul.put({ 'weir/shop': rulesFile('shop', 2) });
    await running.untilLimits('shop.ip: 2');
    await waitUntil('the third request', () => consul.requests.length === 3);
    const common = { recurse: 'true', dc: 'dc2' };
    expect(consul.requests).toEqual([
      { path: '/v1/kv/weir/', query: common, token: 'a-token' },
      { path: '/v1/kv/weir/', query: { ...common, index: '11', wait: '60000ms' }, token: 'a-token' },
      { path: '/v1/kv/weir/', query: { ...common, index: '12', wait: '60000ms' }, token: 'a-token' },
    ]);
  });

  it('that answers because the time is over, or of another key, is no load', async () => {
    const consul = await startServer();
    consul.put({ 'weir/shop': rulesFile('shop', 1) });
    const running = runConfigSource(sourceOf(consul.address, { waitMs: 50 }).source);
    await running.untilLimits('shop.ip: 1');
    consul.put({ other: 'x' });
    await waitUntil('some requests', () => consul.requests.length > 4);
    expect(running.loads).toHaveLength(1);
  });

  it('whose index goes backwards is asked from the beginning', async () => {
    const consul = await startServer();
    consul.put({ 'weir/shop': rulesFile('shop', 1) });
    const running = runConfigSource(sourceOf(consul.address).source);
    await running.untilLimits('shop.ip: 1');
    await waitUntil('a request that waits', () => consul.requests.at(-1)?.query['index'] === '11');
    consul.restoreTo(3);
    await waitUntil('the next', () => consul.requests.length === 4);
    expect(consul.requests.map(({ query }) => query['index'])).toEqual([undefined, '11', undefined, '3']);
    consul.put({ 'weir/shop': rulesFile('shop', 2) });
    await running.untilLimits('shop.ip: 2');
  });

  it('may go away and come back', async () => {
    const first = await startServer();
    first.put({ 'weir/shop': rulesFile('shop', 1) });
    const { source, events } = sourceOf(first.address);
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 1');
    await first.stop();
    await waitUntil('the loss', () => events.at(-1)?.kind === 'disconnected');
    expect(running.limits()).toEqual(['shop.ip: 1']);
    const second = await startServer(first.port);
    second.put({ 'weir/shop': rulesFile('shop', 2) });
    await running.untilLimits('shop.ip: 2');
    await waitUntil('the event', () => events.at(-1)?.kind === 'connected');
  });

  it('is asked five times at once, and then once a second, when it answers without waiting', async () => {
    const consul = await startServer();
    let index = 0;
    consul.answerWith((_, response) => {
      index += 1;
      response.writeHead(404, { 'X-Consul-Index': index }).end();
    });
    const running = runConfigSource(sourceOf(consul.address).source);
    await waitUntil('the sixth', () => consul.requests.length >= 6);
    expect(running.loads).toHaveLength(1);
    expect(consul.requests.length).toBeLessThan(8);
  });
});

describe('a token', () => {
  it('that may read all keys below the prefix is enough', async () => {
    const consul = await startServer();
    consul.put({ 'weir/shop': rulesFile('shop', 1), 'secret/x': 'y' });
    consul.allow('good', ['weir/']);
    await runConfigSource(sourceOf(consul.address, {}, 'good').source).untilLimits('shop.ip: 1');
  });

  it.each([
    ['unknown', 'HTTP status 403'],
    ['poor', 'the token may not read all keys'],
  ])('that is %s is a failure, and not the end of all limits', async (token, reason) => {
    const consul = await startServer();
    consul.put({ 'weir/shop': rulesFile('shop', 1) });
    let present = 'good';
    consul.allow('good', ['weir/']);
    consul.allow('poor', ['other/']);
    const { source, events } = sourceOf(consul.address, {
      waitMs: 50,
      request: () => ({ tls: undefined, token: present }),
    });
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 1');
    present = token;
    consul.put({ other: 'x' });
    expect(await reasonIn(events)).toContain(reason);
    expect(running.limits()).toEqual(['shop.ip: 1']);
  });
});

describe('something else', () => {
  it.each<[string, number, string, RegExp]>([
    ['a web server without the page', 404, 'not found', /404 without X-Consul-Index: this is no Consul/],
    ['a page instead of JSON', 200, '<html>', /this is no Consul/],
  ])('%s is no Consul', async (_, status, body, reason) => {
    const consul = await startServer();
    consul.answerWith((_, response) => void response.writeHead(status).end(body));
    const { source, events } = sourceOf(consul.address);
    runConfigSource(source);
    expect(await reasonIn(events)).toMatch(reason);
  });

  it.each<[string, string, RegExp]>([
    ['no JSON', '[{"Key":', /the answer cannot be read: .*JSON/],
    ['other JSON', '{"Key": "a"}', /the answer cannot be read: .*no list of keys/],
    [
      'too many keys',
      `[${'{"Key": "a", "Value": null},'.repeat(20_000)}{"Key": "a", "Value": null}]`,
      /there are more than 10000 keys/,
    ],
    ['more than is taken', `[${'"a",'.repeat(17_000_000)}]`, /the answer has more than 67108864 bytes/],
  ])('%s is given up on', async (_, body, reason) => {
    const consul = await startServer();
    consul.answerWith((_, response) => void response.writeHead(200, { 'X-Consul-Index': 1 }).end(body));
    const { source, events } = sourceOf(consul.address);
    runConfigSource(source);
    expect(await reasonIn(events)).toMatch(reason);
  });

  it('silence is given up on after what Consul may hold back', async () => {
    const consul = await startServer();
    consul.put({ 'weir/shop': rulesFile('shop', 1) });
    const { source, events } = sourceOf(consul.address, { waitMs: 16, timeoutMs: 300 });
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 1');
    consul.answerWith(() => {});
    expect(await reasonIn(events)).toMatch(/^no whole answer within 0\.3/);
  });
});
