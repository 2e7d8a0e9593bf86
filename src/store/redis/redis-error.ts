import type { StoreError, StoreErrorKind } from '../store-error.ts';

/**
 * What may be done about an error, once, if time is left. Everything but `no` says that the answer proves that nothing
 * was executed.
 */
export type RedisRetry =
  | 'no'
  | 'with-source' // the same call, with the script's text
  | 'by-key'; // one call for each key, to the node that has it

export interface RedisErrorRow {
  /** How the node's text begins; where `anywhere` is set, what is in it. */
  readonly text: string;
  readonly anywhere: boolean;
  readonly kind: StoreErrorKind;
  readonly retry: RedisRetry;
}

function starts(text: string, kind: StoreErrorKind, retry: RedisRetry = 'no'): RedisErrorRow {
  return { text, anywhere: false, kind, retry };
}

function contains(text: string, kind: StoreErrorKind, retry: RedisRetry = 'no'): RedisErrorRow {
  return { text, anywhere: true, kind, retry };
}

/** Every answer of Redis and of its client that means something of its own; the first that fits counts. */
export const redisErrorRows: readonly RedisErrorRow[] = Object.freeze([
  starts('NOSCRIPT', 'script', 'with-source'),
  // Redirects. The client follows them only for calls with declared keys.
  starts('MOVED', 'cluster', 'by-key'),
  starts('ASK', 'cluster', 'by-key'),
  starts('TRYAGAIN', 'cluster', 'by-key'),
  starts('CROSSSLOT', 'cluster', 'by-key'),
  // What the client says when it gave up following them.
  contains('Last error: ReplyError: MOVED', 'cluster', 'by-key'),
  contains('Last error: ReplyError: ASK', 'cluster', 'by-key'),
  contains('Last error: ReplyError: TRYAGAIN', 'cluster', 'by-key'),
  starts('Too many Cluster redirections', 'cluster'),
  contains('non local key', 'cluster', 'by-key'),
  contains('while the cluster is down', 'cluster'),
  starts('CLUSTERDOWN', 'cluster'),
  // The node is there, and can't or won't count now.
  starts('LOADING', 'loading'),
  starts('MASTERDOWN', 'loading'),
  starts('READONLY', 'readonly'),
  contains("can't write against a read only", 'readonly'),
  starts('BUSY', 'busy'),
  starts('UNKILLABLE', 'busy'),
  starts('OOM', 'memory'),
  starts('MISCONF', 'memory'),
  starts('NOREPLICAS', 'memory'),
  // Somebody has to change something.
  starts('NOAUTH', 'denied'),
  starts('WRONGPASS', 'denied'),
  starts('NOPERM', 'denied'),
  starts('ERR invalid password', 'denied'),
  starts('ERR AUTH', 'denied'),
  starts('WRONGTYPE', 'data'),
  contains('compiling script', 'script'),
  contains('syntax error', 'script'),
  contains('unknown command', 'script'),
  // The client's own.
  contains("Stream isn't writeable", 'connection', 'by-key'),
  contains("Cluster isn't ready", 'connection', 'by-key'),
  contains('Connection is closed', 'connection'),
  contains('Command aborted', 'connection'),
  contains('max retries per request', 'connection'),
  contains('Cluster is ended', 'connection'),
  contains('startup nodes', 'connection'),
  contains('slots cache', 'connection'),
  contains('sentinels are unreachable', 'connection'),
  contains('ECONN', 'connection'),
  contains('ETIMEDOUT', 'connection'),
  contains('EPIPE', 'connection'),
  contains('ENOENT', 'connection'),
  contains('EACCES', 'connection'),
  contains('ENOTFOUND', 'connection'),
  contains('EAI_AGAIN', 'connection'),
  contains('EHOSTUNREACH', 'connection'),
  contains('ENETUNREACH', 'connection'),
  contains('certificate', 'connection'),
  contains('SSL', 'connection'),
  contains('Socket timeout', 'connection'),
  contains('socket hang up', 'connection'),
  contains('disconnected before secure TLS', 'connection'),
]);

const otherRow = starts('', 'other');

/** The row for a text of Redis or its client. */
export function redisErrorRow(text: string): RedisErrorRow {
  return (
    redisErrorRows.find((row) => (row.anywhere ? text.includes(row.text) : text.startsWith(row.text))) ??
    otherRow
  );
}

const maxMessage = 200;

/**
 * Turns what went wrong into the state of the hits it concerns.
 * @param error what the client threw, or the text of an error within a script's answer
 */
export function storeErrorOf(error: unknown, node: string): StoreError {
  const text = error instanceof Error ? error.message : String(error);
  return { kind: redisErrorRow(text).kind, message: publicText(text), node };
}

/** Servers quote what they did not understand: a password after AUTH, a caller's key after EVALSHA. */
function publicText(text: string): string {
  const [known = ''] = text.split(/,? ?with args beginning with/i);
  let printable = '';
  for (const char of known) printable += char < ' ' || char === '\x7f' ? ' ' : char;
  return printable.slice(0, maxMessage).trim();
}
