import { expect, it } from 'vitest';
import { fingerprintWith } from './key-fingerprint.ts';

it('tells ten thousand texts apart, but for a few', () => {
  const texts = Array.from({ length: 10_000 }, (_, n) => `user-${n}`);
  const fingerprints = new Set(texts.map((text) => fingerprintWith(0, text)));
  expect(fingerprints.size).toBeGreaterThan(9_990);
});

it('tells apart where one text ends and the next begins', () => {
  expect(fingerprintWith(fingerprintWith(0, 'ab'), 'c')).not.toBe(
    fingerprintWith(fingerprintWith(0, 'a'), 'bc'),
  );
});
