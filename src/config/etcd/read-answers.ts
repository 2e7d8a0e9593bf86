import { BinaryReader } from '@bufbuild/protobuf/wire';
import { maxFiles } from '../list-files.ts';
import type { KeyEntry } from '../remote/key-files.ts';
import { type FieldBudget, fieldsOf, innerEnd } from './bounded-fields.ts';

/** Of a `RangeResponse`. */
export interface RangeAnswer {
  /** Of the store, when it was asked. */
  readonly revision: bigint;
  /** At most one more than files may be read. */
  readonly entries: readonly KeyEntry[];
  /** There are more keys. */
  readonly hasMore: boolean;
}

/** Of a `WatchResponse`. */
export interface WatchAnswer {
  readonly revision: bigint;
  readonly isCreated: boolean;
  readonly isCanceled: boolean;
  /** Above 0: changes before it are forgotten. */
  readonly compactRevision: bigint;
  readonly cancelReason: string;
  readonly hasEvents: boolean;
}

/** Fields as `number << 3 | wire type`. */
const rangeField = { header: 0x0a, kvs: 0x12, more: 0x18 } as const;
const watchField = {
  header: 0x0a,
  created: 0x18,
  canceled: 0x20,
  compactRevision: 0x28,
  cancelReason: 0x32,
  events: 0x5a,
} as const;
const headerField = { revision: 0x18 } as const;
const keyField = { key: 0x0a, value: 0x2a } as const;

/** A key of etcd has six, and stands in one. */
const fieldsOfKey = 16;

function newBudget(): FieldBudget {
  return { left: fieldsOfKey * (maxFiles + 1) };
}

/**
 * Reads an `etcdserverpb.RangeResponse`. A generated decoder would read millions of keys, which are few octets, before
 * anybody could count them. Throws when it is none.
 */
export function readRange(octets: Uint8Array): RangeAnswer {
  const reader = new BinaryReader(octets);
  const budget = newBudget();
  const entries: KeyEntry[] = [];
  let revision = 0n;
  let hasMore = false;
  for (const field of fieldsOf(reader, reader.len, budget)) {
    if (field === rangeField.header) revision = readRevision(reader, budget);
    else if (field === rangeField.more) hasMore = reader.bool();
    else if (field === rangeField.kvs) {
      if (entries.length > maxFiles) return { revision, entries, hasMore: true };
      entries.push(readEntry(reader, budget));
    }
  }
  return { revision, entries, hasMore };
}

/** Reads an `etcdserverpb.WatchResponse`; what is in its events, it skips. Throws when it is none. */
export function readWatch(octets: Uint8Array): WatchAnswer {
  const reader = new BinaryReader(octets);
  const budget = newBudget();
  const answer = {
    revision: 0n,
    isCreated: false,
    isCanceled: false,
    compactRevision: 0n,
    cancelReason: '',
    hasEvents: false,
  };
  for (const field of fieldsOf(reader, reader.len, budget)) {
    if (field === watchField.header) answer.revision = readRevision(reader, budget);
    else if (field === watchField.created) answer.isCreated = reader.bool();
    else if (field === watchField.canceled) answer.isCanceled = reader.bool();
    else if (field === watchField.compactRevision) answer.compactRevision = BigInt(reader.int64());
    else if (field === watchField.cancelReason) answer.cancelReason = reader.string();
    else if (field === watchField.events) answer.hasEvents = true;
  }
  return answer;
}

function readRevision(reader: BinaryReader, budget: FieldBudget): bigint {
  let revision = 0n;
  for (const field of fieldsOf(reader, innerEnd(reader), budget)) {
    if (field === headerField.revision) revision = BigInt(reader.int64());
  }
  return revision;
}

function readEntry(reader: BinaryReader, budget: FieldBudget): KeyEntry {
  let key = '';
  let value: Uint8Array = new Uint8Array();
  for (const field of fieldsOf(reader, innerEnd(reader), budget)) {
    if (field === keyField.key) key = Buffer.from(reader.bytes()).toString();
    else if (field === keyField.value) value = reader.bytes();
  }
  return { key, value };
}
