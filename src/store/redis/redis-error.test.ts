import { describe, expect, it } from 'vitest';
import { redisErrorRow, storeErrorOf } from './redis-error.ts';

describe('the table of errors', () => {
  it.each([
    ['NOSCRIPT No matching script. Please use EVAL.', 'script', 'with-source'],
    ['MOVED 3999 127.0.0.1:6381', 'cluster', 'by-key'],
    ['ASK 3999 127.0.0.1:6381', 'cluster', 'by-key'],
    ['TRYAGAIN Multiple keys request during rehashing of slot', 'cluster', 'by-key'],
    ["CROSSSLOT Keys in request don't hash to the same slot", 'cluster', 'by-key'],
    ['Too many Cluster redirections. Last error: ReplyError: TRYAGAIN Multiple keys', 'cluster', 'by-key'],
    ['Too many Cluster redirections. Last error: ReplyError: MOVED 1 a:1', 'cluster', 'by-key'],
    ['Too many Cluster redirections. Last error: Error: Connection is closed.', 'cluster', 'no'],
    ['CLUSTERDOWN The cluster is down', 'cluster', 'no'],
    ['Script attempted to execute a write command while the cluster is down and readonly', 'cluster', 'no'],
    ['LOADING Redis is loading the dataset in memory', 'loading', 'no'],
    ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'loading', 'no'],
    ["READONLY You can't write against a read only replica.", 'readonly', 'no'],
    ['BUSY Redis is busy running a script. You can only call SCRIPT KILL', 'busy', 'no'],
    ['UNKILLABLE Sorry the script already executed write commands', 'busy', 'no'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'memory', 'no'],
    ['MISCONF Redis is configured to save RDB snapshots', 'memory', 'no'],
    ['NOREPLICAS Not enough good replicas to write.', 'memory', 'no'],
    ['NOAUTH Authentication required.', 'denied', 'no'],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'denied', 'no'],
    ["NOPERM this user has no permissions to run the 'evalsha' command", 'denied', 'no'],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'data', 'no'],
    ['ERR syntax error', 'script', 'no'],
    ['Connection is closed.', 'connection', 'no'],
    ['Reached the max retries per request limit (which is 0).', 'connection', 'no'],
    ["Stream isn't writeable and enableOfflineQueue options is false", 'connection', 'by-key'],
    ['connect ECONNREFUSED 127.0.0.1:1', 'connection', 'no'],
    ['ERR something new', 'other', 'no'],
  ])('%s', (text, kind, retry) => {
    expect(redisErrorRow(text)).toMatchObject({ kind, retry });
  });

  it('only an answer that proves that nothing was executed is sent again', () => {
    const again = ['NOSCRIPT', 'MOVED', 'ASK', 'TRYAGAIN', 'CROSSSLOT', "Stream isn't writeable"];
    for (const text of again) expect(redisErrorRow(text).retry).not.toBe('no');
    // The connection broke after sending: nobody knows.
    for (const text of ['Connection is closed.', 'read ECONNRESET', 'write EPIPE']) {
      expect(redisErrorRow(text).retry).toBe('no');
    }
  });
});

describe('storeErrorOf', () => {
  it("keeps the server's words, and names the node", () => {
    const error = storeErrorOf(new Error('OOM command not allowed'), 'redis:6379');
    expect(error).toEqual({ kind: 'memory', message: 'OOM command not allowed', node: 'redis:6379' });
  });

  it.each([
    "ERR unknown command 'AUTH', with args beginning with: 'hunter2' ",
    'ERR unknown command `AUTH`, with args beginning with: `weir`, `hunter2`, ',
  ])('X05: does not repeat what the server quotes: %s', (text) => {
    expect(JSON.stringify(storeErrorOf(new Error(text), 'n'))).not.toContain('hunter2');
  });

  it('has no control characters and an end', () => {
    const { message } = storeErrorOf(new Error(`ERR a\r\nb\x00${'x'.repeat(10_000)}`), 'n');
    expect(message).toMatch(/^ERR a {2}b x+$/);
    expect(message.length).toBe(200);
  });
});
