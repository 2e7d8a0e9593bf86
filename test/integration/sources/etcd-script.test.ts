import { describe, expect, it, onTestFinished } from 'vitest';
import type { RangeResponse } from '../../../src/gen/etcdserverpb/rpc.ts';
import { type EtcdScript, startFakeEtcd } from '../../support/fake-etcd.ts';
import { runConfigSource } from '../../support/run-config-source.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { etcdSource } from './etcd-fixture.ts';
import { reasonIn, rulesFile } from './rules-files.ts';

function rangeOf(revision: bigint, limit: number): Partial<RangeResponse> {
  const kv = {
    key: Buffer.from('/weir/shop'),
    modRevision: revision,
    value: Buffer.from(rulesFile('shop', limit)),
  };
  return { header: { revision }, kvs: [kv] };
}

const emptyKey = { key: new Uint8Array(), modRevision: 0n, value: new Uint8Array() };

const created: EtcdScript['watch'] = (_, stream) => void stream.write({ created: true });

async function start(script: Partial<EtcdScript>) {
  const etcd = await startFakeEtcd({ range: () => rangeOf(5n, 1), watch: created, ...script });
  onTestFinished(etcd.stop);
  return etcd;
}

describe('an etcd', () => {
  it('is asked for changes after the revision that was read, and only with a leader', async () => {
    const etcd = await start({});
    const running = runConfigSource(etcdSource([etcd.address]).source);
    await running.untilLimits('shop.ip: 1');
    expect(etcd.ranges).toEqual([{ token: '', hasLeader: true }]);
    expect(etcd.watches).toEqual([6n]);
  });

  it('that has forgotten what was asked for is read, and watched, anew', async () => {
    let reads = 0;
    const etcd = await start({
      range: () => {
        reads += 1;
        return rangeOf(BigInt(reads * 10), reads);
      },
      watch(request, stream) {
        stream.write({ created: true });
        const isFirst = request.requestUnion?.value.startRevision === 11n;
        if (isFirst) stream.write({ canceled: true, compactRevision: 15n });
      },
    });
    const { source, events } = etcdSource([etcd.address]);
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 2');
    await waitUntil('the second watch', () => etcd.watches.length === 2);
    expect(etcd.watches).toEqual([11n, 21n]);
    expect(events.map(({ kind }) => kind)).toEqual(['connected']);
  });

  it('whose login has ended is logged into anew, and nothing is lost', async () => {
    let valid = 'token-1';
    const etcd = await start({
      range: (_, token) =>
        token === valid ? rangeOf(token === 'token-1' ? 5n : 6n, 1) : 'etcdserver: invalid auth token',
      watch(_, stream) {
        stream.write({ created: true });
        valid = 'token-2';
        stream.write({ header: { revision: 6n }, events: [{}] });
      },
    });
    const { source, events } = etcdSource([etcd.address], { user: () => ({ name: 'weir', password: 'p' }) });
    const running = runConfigSource(source);
    await running.untilLimits('shop.ip: 1');
    await waitUntil('the second login', () => etcd.ranges.length === 3);
    expect(etcd.logins).toMatchObject([{ name: 'weir', password: 'p' }, { name: 'weir' }]);
    expect(etcd.ranges.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-2']);
    expect(events.map(({ kind }) => kind)).toEqual(['connected']);
  });

  it('that tells of changes without an end is read five times at once, and then once a second', async () => {
    let revision = 5n;
    const etcd = await start({
      range: () => rangeOf(revision, 1),
      watch(_, stream) {
        stream.write({ created: true });
        const flood = setInterval(() => {
          revision += 1n;
          stream.write({ header: { revision }, events: [{}] });
        }, 1);
        stream.once('close', () => clearInterval(flood));
        stream.once('cancelled', () => clearInterval(flood));
      },
    });
    const running = runConfigSource(etcdSource([etcd.address]).source);
    await running.untilLimits('shop.ip: 1');
    const before = revision;
    await waitUntil('many changes', () => revision > before + 500n);
    // As many as the pace lets through in any time that 500 changes may take on a busy machine, and not one for each.
    expect(etcd.ranges.length).toBeLessThan(60);
    expect(running.loads).toHaveLength(1);
  });

  it.each<[string, Partial<EtcdScript>, RegExp]>([
    ['is silent', { range: () => 'silence' }, /DEADLINE_EXCEEDED/],
    ['never watches', { watch: () => {} }, /etcd does not watch within 0.3 s/],
    [
      'does not let us watch',
      {
        watch: (_, stream) =>
          void stream.write({ created: true, canceled: true, cancelReason: 'permission denied' }),
      },
      /etcd has ended the watch: permission denied/,
    ],
    [
      'ends the stream',
      {
        watch(_, stream) {
          stream.write({ created: true });
          stream.end();
        },
      },
      /etcd has ended the stream of changes/,
    ],
    ['has too many keys', { range: () => ({ more: true }) }, /there are more than 10000 keys/],
    [
      'has too many keys although it was asked for fewer',
      { range: () => ({ kvs: Array.from({ length: 1_000_000 }, () => emptyKey) }) },
      /there are more than 10000 keys/,
    ],
    [
      'tells of too many changes at once',
      {
        watch: (_, stream) =>
          void stream.write({ created: true, events: Array.from({ length: 1_000_000 }, () => ({})) }),
      },
      /the answer has more fields than are read/,
    ],
    [
      'has too much',
      {
        range: () => ({
          kvs: [{ key: Buffer.from('a'), modRevision: 1n, value: Buffer.alloc(81 * 1024 * 1024) }],
        }),
      },
      /RESOURCE_EXHAUSTED/,
    ],
    ['refuses every login', { range: () => 'etcdserver: invalid auth token' }, /invalid auth token/],
  ])('that %s is tried again, and what is in force stays', async (_, script, reason) => {
    const etcd = await start(script);
    // Only those that never answer are to be waited for.
    const timeoutMs = /DEADLINE|within/.test(reason.source) ? 300 : 20_000;
    const { source, events } = etcdSource([etcd.address], { timeoutMs });
    runConfigSource(source);
    expect(await reasonIn(events)).toMatch(reason);
  });
});
