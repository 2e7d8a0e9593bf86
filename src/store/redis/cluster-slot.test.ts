import { expect, it } from 'vitest';
import { clusterSlot } from './cluster-slot.ts';

// From the Redis Cluster specification and CLUSTER KEYSLOT.
it.each([
  ['123456789', 0x31c3],
  ['foo', 12182],
  ['user1000', 3443],
  ['{user1000}.following', 3443],
  ['foo{bar}{zap}', 5061],
  ['bar', 5061],
  ['foo{}{bar}', 8363],
  ['foo{{bar}}zap', 4015],
  ['{bar', 4015],
  ['', 0],
])('the slot of "%s" is %i', (key, slot) => {
  expect(clusterSlot(key)).toBe(slot);
});
