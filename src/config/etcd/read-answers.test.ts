import { describe, expect, it } from 'vitest';
import { RangeResponse, WatchResponse } from '../../gen/etcdserverpb/rpc.ts';
import { readRange, readWatch } from './read-answers.ts';

const octets = (text: string) => Uint8Array.from(Buffer.from(text));
const repeated = (field: readonly number[], times: number) =>
  Uint8Array.from({ length: field.length * times }, (_, index) => field[index % field.length] as number);

const kv = { key: octets('/weir/shop'), modRevision: 3n, value: octets('domain: shop') };
const noAnswer = /no message of etcd|premature EOF|illegal tag|cant skip|varint/i;

describe('keys', () => {
  it.each<[string, Partial<RangeResponse>]>([
    ['none', {}],
    ['some', { header: { revision: 1n << 40n }, kvs: [kv, { ...kv, key: octets('b') }], more: true }],
    ['one without a name or a value', { kvs: [{ key: octets(''), modRevision: 0n, value: octets('') }] }],
  ])('are read as they were written: %s', (_, response) => {
    const { header, kvs = [], more = false } = response;
    const message = RangeResponse.encode(RangeResponse.fromPartial(response)).finish();
    const { revision, entries, hasMore } = readRange(message);
    expect([revision, hasMore]).toEqual([header?.revision ?? 0n, more]);
    expect(entries.map(({ key, value }) => [key, [...value]])).toEqual(
      kvs.map(({ key, value }) => [Buffer.from(key).toString(), [...value]]),
    );
  });

  it('that a later etcd says more of are read', () => {
    // Field 6 (the lease) of a key, then field 4 (the count) of the answer.
    const message = Uint8Array.from([0x12, 5, 0x0a, 1, 97, 0x30, 9, 0x20, 1]);
    expect(readRange(message).entries.map(({ key }) => key)).toEqual(['a']);
  });

  it('that are too many are read no further', () => {
    const { entries, hasMore } = readRange(repeated([0x12, 0], 2_000_000));
    expect([entries.length, hasMore]).toEqual([10_001, true]);
  });

  it.each([
    ['fields that nobody knows', repeated([0x20, 1], 1_000_000)],
    ['fields of one key', Uint8Array.from([0x12, ...[0x80, 0x89, 0x7a], ...repeated([0x0a, 0], 1_000_000)])],
  ])('with too many %s are not read', (_, message) => {
    expect(() => readRange(message)).toThrow('the answer has more fields than are read');
  });

  it.each([
    ['a group', [0x0b, 0x0c]],
    ['a key that is longer than the answer', [0x12, 5, 0x0a, 1, 97]],
    ['a value that is longer than its key', [0x12, 3, 0x0a, 2, 97, 98]],
    ['half a number', [0x18, 0x80]],
    ['HTML', [...octets('<html></html>')]],
  ])('are not taken from %s', (_, message) => {
    expect(() => readRange(Uint8Array.from(message))).toThrow(noAnswer);
  });
});

describe('what a watch tells', () => {
  it.each<[string, Partial<WatchResponse>]>([
    ['that it was created', { created: true }],
    ['a change', { header: { revision: 7n }, events: [{}] }],
    ['its end', { canceled: true, cancelReason: 'permission denied' }],
    ['that it is too late', { canceled: true, compactRevision: 5n }],
  ])('is read as it was written: %s', (_, response) => {
    const message = WatchResponse.encode(WatchResponse.fromPartial(response)).finish();
    expect(readWatch(message)).toEqual({
      revision: response.header?.revision ?? 0n,
      isCreated: response.created ?? false,
      isCanceled: response.canceled ?? false,
      compactRevision: response.compactRevision ?? 0n,
      cancelReason: response.cancelReason ?? '',
      hasEvents: (response.events ?? []).length > 0,
    });
  });

  it('is not read where it has too many changes', () => {
    expect(() => readWatch(repeated([0x5a, 0], 1_000_000))).toThrow(
      'the answer has more fields than are read',
    );
  });
});
