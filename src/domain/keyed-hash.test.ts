import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeyedHash, shortHash } from './keyed-hash.ts';
import { type Octets, octetsOf } from './octets.ts';

const secret = Buffer.from('a secret that replicas share');

describe('a keyed hash', () => {
  it('is the HMAC-SHA-256 of the octets, marked', () => {
    for (const value of [octetsOf('u-1'), octetsOf('é'), '\xff\0' as Octets, octetsOf('')]) {
      const hmac = createHmac('sha256', secret).update(Buffer.from(value, 'latin1')).digest('base64url');
      expect(createKeyedHash(secret)(value)).toBe(`#~${hmac}`);
    }
  });

  it('is another one with another secret', () => {
    const value = octetsOf('u-1');
    expect(createKeyedHash(Buffer.from('another secret'))(value)).not.toBe(createKeyedHash(secret)(value));
  });

  it('has a short form for labels, with which it begins', () => {
    const hash = createKeyedHash(secret)(octetsOf('u-1'));
    expect(shortHash(hash)).toHaveLength(18);
    expect(hash.startsWith(shortHash(hash))).toBe(true);
  });
});
