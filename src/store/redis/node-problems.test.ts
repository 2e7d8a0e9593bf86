import { describe, expect, it } from 'vitest';
import { replicaProblem, versionProblem } from './node-problems.ts';

function told(text: string): PromiseSettledResult<string> {
  return { status: 'fulfilled', value: text };
}

const refused: PromiseSettledResult<string> = { status: 'rejected', reason: new Error('NOPERM') };

describe('a node that cannot be used', () => {
  it.each([
    ['Redis 6.0', told('redis_version:6.0.16\r\n'), 'Redis 6.0.16 is too old'],
    ['Redis 6.2', told('redis_version:6.2.5\r\n'), undefined],
    [
      'Valkey, which tells a version of Redis for its clients',
      told('redis_version:7.2.4\r\nvalkey_version:9.1.2\r\n'),
      undefined,
    ],
    ['one that does not tell its version', refused, undefined],
  ])('is too old: %s', (_, info, message) => {
    const problem = versionProblem(info, 'node');
    if (message === undefined) expect(problem).toBeUndefined();
    else expect(problem).toMatchObject({ kind: 'script', message: expect.stringContaining(message) });
  });

  it.each([
    ['a replica', told('role:slave\r\nslave_read_only:1\r\n'), { kind: 'readonly' }],
    ['a replica that takes writes', told('role:slave\r\nslave_read_only:0\r\n'), undefined],
    ['a master', told('role:master\r\nconnected_slaves:1\r\n'), undefined],
    ['one that does not tell its role', refused, undefined],
  ])('is a replica: %s', (_, info, expected) => {
    const problem = replicaProblem(info, 'node');
    if (expected === undefined) expect(problem).toBeUndefined();
    else expect(problem).toMatchObject(expected);
  });
});
