import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../../src/store/counter-store.ts';
import { countsOf, freshKey, hitOn, inTime } from '../../case/counter-store.case.ts';
import { bulk, healthyAnswer, scriptAnswer, startFakeRedis } from '../../support/fake-redis.ts';
import { freePort } from '../../support/free-port.ts';
import { closeAfterEach } from '../../support/opened-stores.ts';
import { connectionToPort, observedStore } from '../../support/redis-stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { open, openStore } = closeAfterEach();

async function stateOf(store: CounterStore, key: string, deadline = inTime()): Promise<object> {
  return (await store.hit([hitOn(key, 1)], deadline)).states[0] as object;
}

/** `ready` without waiting for it. */
async function isReady(store: CounterStore): Promise<boolean> {
  return Promise.race([
    store.ready.then(() => true),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
}

describe('a server that can not be used', () => {
  it('F05: while there is none, hits get an error and the store goes on trying', async () => {
    const port = await freePort();
    const { store, events } = openStore(connectionToPort(port));
    await waitUntil('attempts', () => events.filter(({ kind }) => kind === 'unusable').length >= 3);
    expect(store.isConnected()).toBe(false);
    expect(await isReady(store)).toBe(false);
    expect(await stateOf(store, freshKey())).toMatchObject({ kind: 'connection', node: `127.0.0.1:${port}` });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'error', errorKind: 'connection', hits: 1 }),
    );
  });

  it('a server that is too old is said to be, again and again, and nothing is sent to it', async () => {
    const fake = open(await startFakeRedis(healthyAnswer('6.0.16')));
    const { store, events } = openStore(connectionToPort(fake.port));
    const told = () =>
      events.filter((event) => event.kind === 'unusable' && event.message.includes('too old'));
    await waitUntil('two complaints', () => told().length >= 2);
    expect(told()[0]).toMatchObject({
      message: 'Redis 6.0.16 is too old: 6.2 or later is needed (SET with PXAT)',
    });
    expect(await stateOf(store, freshKey())).toMatchObject({ kind: 'script' });
    expect(await isReady(store)).toBe(false);
  });

  it.each(['6.2.0', '6.2.14', '7.0.15', '8.0.1', '10.0.0'])('Redis %s is new enough', async (version) => {
    const fake = open(await startFakeRedis(healthyAnswer(version)));
    const { store } = openStore(connectionToPort(fake.port));
    await store.ready;
    expect(store.isConnected()).toBe(true);
  });

  it.each([
    ["-ERR Error compiling script (new function): user_script:1: unexpected symbol near '#' \r\n"],
    ['-ERR command eval needs keys\r\n'],
  ])(
    'a server that refuses the flags gets the script without them, with declared keys: %s',
    async (refusal) => {
      const healthy = healthyAnswer('6.2.14');
      const fake = open(await startFakeRedis());
      fake.answer = (command, args) => {
        if (command === 'eval' && args[0]?.startsWith('#!')) return refusal;
        if (command === 'evalsha') return scriptAnswer(0);
        return healthy(command, args);
      };
      const { store, events } = openStore(connectionToPort(fake.port));
      await store.ready;
      expect(events).toContainEqual(expect.objectContaining({ kind: 'usable', scriptFlags: false }));
      const key = freshKey();
      expect(countsOf([await stateOf(store, key)])).toEqual([{ before: 0, after: 1 }]);
      const sent = fake.commands.find(([command]) => command === 'evalsha');
      expect(sent?.slice(2, 4)).toEqual(['1', key]);
    },
  );

  it.each([
    ['LOADING Redis is loading the dataset in memory', 'loading'],
    ["READONLY You can't write against a read only replica.", 'readonly'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'memory'],
    ["NOPERM this user has no permissions to run the 'eval' command", 'denied'],
    ['BUSY Redis is busy running a script.', 'busy'],
  ])('it is asked again until it can count: %s', async (refusal, kind) => {
    const healthy = healthyAnswer();
    const fake = open(await startFakeRedis());
    fake.answer = (command, args) => (command === 'eval' ? `-${refusal}\r\n` : healthy(command, args));
    const { store, events } = openStore(connectionToPort(fake.port));
    await waitUntil('the complaint', () => events.some((event) => event.kind === 'unusable'));
    expect(await stateOf(store, freshKey())).toMatchObject({ kind, message: refusal });
    fake.answer = healthy;
    await store.ready;
  });

  it('a database that can not be selected: nothing is counted in another, until it can', async () => {
    const healthy = healthyAnswer();
    const fake = open(await startFakeRedis());
    fake.answer = (command, args) =>
      command === 'select' ? '-ERR DB index is out of range\r\n' : healthy(command, args);
    const { store, events } = openStore(connectionToPort(fake.port, { db: 5 }));
    const told = () =>
      events.filter((event) => event.kind === 'unusable' && event.message.startsWith("can't use database 5"));
    await waitUntil('two complaints', () => told().length >= 2);
    const message = "can't use database 5: ERR DB index is out of range";
    expect(await stateOf(store, freshKey())).toMatchObject({ message });
    expect(await isReady(store)).toBe(false);
    fake.answer = healthy;
    await store.ready;
    expect(fake.commands.filter(([command]) => command === 'evalsha')).toEqual([]);
  });

  it('X05: a password that is refused is told, not shown', async () => {
    const fake = open(await startFakeRedis());
    fake.answer = (command, args) => {
      if (command === 'auth')
        return `-ERR unknown command 'AUTH', with args beginning with: '${args.join("' '")}'\r\n`;
      return healthyAnswer()(command, args);
    };
    const auth = { username: 'weir', password: 'hunter2' };
    const { store, events } = openStore(connectionToPort(fake.port, { auth }));
    await waitUntil('attempts', () => events.filter(({ kind }) => kind === 'unusable').length >= 2);
    expect(JSON.stringify([...events, await stateOf(store, freshKey())])).not.toContain('hunter2');
  });

  it('an answer that makes no sense is an error of its hits alone', async () => {
    const fake = open(await startFakeRedis());
    const { store } = openStore(connectionToPort(fake.port));
    await store.ready;
    fake.answer = () => bulk('what?');
    expect(await stateOf(store, freshKey())).toMatchObject({ kind: 'script' });
    fake.answer = () => scriptAnswer(3);
    expect(await stateOf(store, freshKey())).toMatchObject({ before: 3, after: 4 });
  });
});

describe('deadlines and bounds', () => {
  it('a hit without an answer by its deadline gets a timeout, and its late answer goes nowhere', async () => {
    const fake = open(await startFakeRedis());
    const { store, events } = openStore(connectionToPort(fake.port));
    await store.ready;
    fake.answer = () => undefined;
    const soon = store.hit([hitOn(freshKey(), 1), hitOn(freshKey(), 1)], performance.now() + 20);
    const later = store.hit([hitOn(freshKey(), 1)], performance.now() + 60);
    expect((await soon).states).toMatchObject([{ kind: 'timeout' }, { kind: 'timeout' }]);
    expect((await later).states).toMatchObject([{ kind: 'timeout' }]);
    expect(events.filter((event) => event.kind === 'error')).toHaveLength(2);
  });

  it('at most two calls are on their way; what is too much for waiting is refused at once', async () => {
    const fake = open(await startFakeRedis());
    const limits = { maxHitsPerCall: 10, maxWaitingHits: 30 };
    const { store } = openStore(connectionToPort(fake.port), { limits });
    await store.ready;
    fake.answer = () => undefined;
    const before = fake.commands.length;
    const hits = (count: number) => Array.from({ length: count }, () => hitOn(freshKey(), 1));
    const deadline = performance.now() + 500;
    const first = [store.hit(hits(10), deadline), store.hit(hits(10), deadline)];
    await waitUntil('two calls', () => fake.commands.length === before + 2);
    const waiting = store.hit(hits(30), deadline);
    const { states } = await store.hit(hits(3), deadline);
    expect(states).toMatchObject([{ kind: 'overload' }, { kind: 'overload' }, { kind: 'overload' }]);
    for (const { states } of await Promise.all([...first, waiting])) {
      for (const state of states) expect(state).toMatchObject({ kind: 'timeout' });
    }
    expect(fake.commands.length).toBe(before + 2);
  });

  it('a group larger than a call goes alone and whole', async () => {
    const fake = open(await startFakeRedis());
    const { store } = openStore(connectionToPort(fake.port), { limits: { maxHitsPerCall: 4 } });
    await store.ready;
    fake.answer = (_, args) => scriptAnswer(1, ...new Array<number>(Number(args[5])).fill(0));
    const group = Array.from({ length: 9 }, () => hitOn(freshKey(), 1));
    const [large, small] = [
      store.hitUnlessDenied(group, inTime()),
      store.hitUnlessDenied(group.slice(0, 2), inTime()),
    ];
    expect((await large).states).toHaveLength(9);
    expect((await small).states).toHaveLength(2);
    const calls = fake.commands.filter(([command]) => command === 'evalsha');
    expect(calls.map((call) => call[6])).toEqual(['9', '2']);
  });

  it('a connection on which nothing is answered any more is given up for a new one', async () => {
    const fake = open(await startFakeRedis());
    const { store, events } = openStore(connectionToPort(fake.port), { answerTimeoutMs: 50 });
    await store.ready;
    fake.answer = (command, args) => (command === 'evalsha' ? undefined : healthyAnswer()(command, args));
    await waitUntil('another connection', async () => {
      await stateOf(store, freshKey(), performance.now() + 60);
      return events.filter(({ kind }) => kind === 'usable').length >= 2;
    });
    expect(events.filter(({ kind }) => kind === 'closed').length).toBeGreaterThanOrEqual(1);
  });

  it('closing answers what waits, and every later hit', async () => {
    const fake = open(await startFakeRedis());
    const { store } = observedStore(connectionToPort(fake.port));
    await store.ready;
    fake.answer = () => undefined;
    const open_ = store.hit([hitOn(freshKey(), 1)], inTime());
    const group = store.hitUnlessDenied([hitOn(freshKey(), 1)], inTime());
    await store.close();
    expect((await open_).states).toMatchObject([{ kind: 'connection' }]);
    expect((await group).states).toMatchObject([{ kind: 'connection' }]);
    expect(await stateOf(store, freshKey())).toMatchObject({ kind: 'connection' });
  });
});
