import type { StoreError } from '../store-error.ts';
import { storeErrorOf } from './redis-error.ts';

/** PXAT came with Redis 6.2. A server that does not tell its version is taken at its word. */
export function versionProblem(info: PromiseSettledResult<string>, node: string): StoreError | undefined {
  const version = info.status === 'fulfilled' ? /redis_version:(\d+)\.(\d+)[\w.]*/.exec(info.value) : null;
  if (version === null) return undefined;
  const [full, major, minor] = version;
  if (Number(major) > 6 || (Number(major) === 6 && Number(minor) >= 2)) return undefined;
  const has = full.replace('redis_version:', '');
  return { kind: 'script', message: `Redis ${has} is too old: 6.2 or later is needed (SET with PXAT)`, node };
}

/** From 7 on the script's flags make a replica refuse it; before, it would do nothing there without a word. */
export function replicaProblem(
  replication: PromiseSettledResult<string>,
  node: string,
): StoreError | undefined {
  const isReplica =
    replication.status === 'fulfilled' &&
    /^role:slave/m.test(replication.value) &&
    /^slave_read_only:1/m.test(replication.value);
  if (!isReplica) return undefined;
  return { kind: 'readonly', message: 'a replica, which takes no writes', node };
}

/**
 * The policy by which counters are dropped when memory is full; undefined where none are. Every counter has an expiry, so
 * that the policies for such keys alone drop counters as well.
 */
export function evictionPolicy(memory: string): string | undefined {
  const limit = /^maxmemory:(\d+)/m.exec(memory)?.[1];
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  return limit === '0' || policy === 'noeviction' ? undefined : policy;
}

/** Counters in another database than was asked for would be nobody's: a server without it, or a user who may not SELECT. */
export function databaseProblem(
  selected: PromiseSettledResult<unknown>,
  db: number,
  node: string,
): StoreError | undefined {
  if (selected.status === 'fulfilled') return undefined;
  const { kind, message } = storeErrorOf(selected.reason, node);
  return { kind, message: `can't use database ${db}: ${message}`, node };
}

/**
 * A server before 7 can't compile the script's first line, and a proxy may want keys: neither is a problem, the script
 * then goes without the line and with its keys. Anything else means that it can't count now.
 */
export function scriptProblem(flagged: PromiseSettledResult<unknown>, node: string): StoreError | undefined {
  if (flagged.status === 'fulfilled') return undefined;
  const error = storeErrorOf(flagged.reason, node);
  if (error.message.includes('unknown command')) return error;
  return error.kind === 'script' || error.kind === 'other' ? undefined : error;
}
