import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openEtcdCalls } from '../../../src/config/etcd/etcd-calls.ts';
import { followWatch } from '../../../src/config/etcd/etcd-watch.ts';
import { endOfPrefix } from '../../../src/config/etcd/prefix-end.ts';
import { describeConfigSource } from '../../case/config-source.case.ts';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { freePort } from '../../support/free-port.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { type EtcdOptions, type EtcdServer, startEtcd } from '../../support/start-etcd.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { etcdSource } from './etcd-fixture.ts';
import { reasonIn, rulesFile } from './rules-files.ts';

async function startServer(options: EtcdOptions = {}): Promise<EtcdServer> {
  const server = await startEtcd(options);
  onTestFinished(() => void server.stop());
  return server;
}

describeWithTools(['etcd'], 'etcd', () => {
  let shared: EtcdServer;
  let prefixes = 0;

  beforeAll(async () => {
    shared = await startEtcd();
  });
  afterAll(() => shared.stop());

  describeConfigSource('A prefix of keys', async (domains) => {
    prefixes += 1;
    const prefix = `/suite/${prefixes}/`;
    let keys: readonly string[] = [];
    const set = async (wanted: Readonly<Record<string, number | undefined>>) => {
      const gone = Object.fromEntries(keys.map((key) => [key, undefined]));
      const there = Object.fromEntries(
        Object.entries(wanted).map(([domain, limit]) => [`${prefix}${domain}`, rulesFile(domain, limit)]),
      );
      await shared.put({ ...gone, ...there });
      keys = Object.keys(there);
    };
    await set(domains);
    return { source: etcdSource([shared.address], { prefix }).source, set };
  });

  it('has keys below the prefix alone, and no folders', async () => {
    await shared.put({
      '/a/rules/': '',
      '/a/rules/shop.yaml': rulesFile('shop', 1),
      '/a/rules/teams/blog': rulesFile('blog', 2),
      '/a/rulest': rulesFile('wiki', 3),
      '/a/rule': rulesFile('wiki', 3),
    });
    const running = runConfigSource(etcdSource([shared.address], { prefix: '/a/rules/' }).source);
    await running.untilLimits('blog.ip: 2', 'shop.ip: 1');
    expect(running.loads[0]?.issues).toEqual([]);
  });

  it('names a key in issues, and keeps what it last had', async () => {
    await shared.put({ '/b/shop': rulesFile('shop', 1), '/b/blog': rulesFile('blog', 1) });
    const running = runConfigSource(etcdSource([shared.address], { prefix: '/b/' }).source);
    await running.untilLimits('blog.ip: 1', 'shop.ip: 1');
    await shared.put({ '/b/shop': rulesFile('shop', undefined), '/b/blog': rulesFile('blog', 2) });
    await running.untilLimits('blog.ip: 2', 'shop.ip: 1');
    expect(running.loads[1]?.result.issues).toMatchObject([{ file: 'etcd:/b/shop' }]);
  });

  it('is read whole: what changes in one transaction is one load', async () => {
    const running = runConfigSource(etcdSource([shared.address], { prefix: '/c/' }).source);
    await waitUntil('the first load', () => running.loads.length === 1);
    const keys = Array.from({ length: 50 }, (_, index) => `d${index}`);
    await shared.put(Object.fromEntries(keys.map((key) => [`/c/${key}`, rulesFile(key, 1)])));
    await running.untilLimits(...keys.map((key) => `${key}.ip: 1`).sort());
    expect(running.loads).toHaveLength(2);
  });

  it('says so when what is asked for is forgotten', async () => {
    const server = await startServer();
    await server.put({ '/weir/shop': rulesFile('shop', 1) });
    await server.compact(await server.put({ '/weir/shop': rulesFile('shop', 2) }));
    const calls = openEtcdCalls({
      address: server.address,
      tls: undefined,
      maxMessageBytes: 1_000_000,
      pingIntervalMs: 30_000,
      user: undefined,
      timeoutMs: 5_000,
    });
    onTestFinished(calls.close);
    const key = Buffer.from('/weir/');
    const value = { key, rangeEnd: endOfPrefix(key), startRevision: 1n, fragment: true };
    const watch = followWatch(calls.watch({ requestUnion: { $case: 'createRequest', value } }));
    await watch.untilChange(100n, 10_000, AbortSignal.timeout(10_000));
    expect(watch.isCompacted()).toBe(true);
  });

  it('may go away and come back, empty and with lower revisions', async () => {
    const port = await freePort();
    const first = await startServer({ port });
    for (const limit of [1, 2, 3]) await first.put({ '/weir/shop': rulesFile('shop', limit) });
    const { source, events } = etcdSource([first.address]);
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 3');
    await first.stop();
    await waitUntil('the loss', () => events.at(-1)?.kind === 'disconnected');
    expect(running.limits()).toEqual(['shop.ip: 3']);
    const second = await startServer({ port });
    await running.untilLimits();
    await second.put({ '/weir/shop': rulesFile('shop', 4) });
    await running.untilLimits('shop.ip: 4');
    expect(events.at(-1)?.kind).toBe('connected');
  });

  it('has several members, of which the next is asked where one fails', async () => {
    await shared.put({ '/e/shop': rulesFile('shop', 1) });
    const dead = `127.0.0.1:${await freePort()}`;
    const { source, events } = etcdSource([dead, shared.address], { prefix: '/e/' });
    await runConfigSource(source).untilLimits('shop.ip: 1');
    expect(events.map(({ kind }) => kind)).toEqual(['disconnected', 'connected']);
  });

  describe('with users', () => {
    const reader = { name: 'weir', password: 'let me in', prefix: '/weir/' };

    it('is read with a login', async () => {
      const server = await startServer();
      await server.put({ '/weir/shop': rulesFile('shop', 1) });
      await server.enableAuth(reader);
      const { source, events } = etcdSource([server.address], { user: () => reader });
      const running = runConfigSource(source);
      await running.untilLimits('shop.ip: 1');
      await server.put({ '/weir/shop': rulesFile('shop', 2) });
      await running.untilLimits('shop.ip: 2');
      expect(events.map(({ kind }) => kind)).toEqual(['connected']);
    });

    it.each([
      [
        'without a login',
        () => undefined,
        reader.prefix,
        /user name is empty|permission denied|invalid auth token/,
      ],
      [
        'with a wrong password',
        () => ({ ...reader, password: 'x' }),
        reader.prefix,
        /invalid user ID or password/,
      ],
      ['below a prefix that is not for us', () => reader, '/other/', /permission denied/],
    ])('is not read %s', async (_, user, prefix, reason) => {
      const server = await startServer();
      await server.enableAuth(reader);
      const { source, events } = etcdSource([server.address], { user, prefix });
      const running = runConfigSource(source);
      expect(await reasonIn(events)).toMatch(reason);
      expect(running.limits()).toBeUndefined();
    });
  });
});
