import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { attacked, openConnections } from './attacked.ts';
import * as flow from './flow-attacks.ts';
import { everything } from './message-attacks.ts';
import { dataAfterAllUnread } from './reset-attacks.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await startTarget(flow.soonStalled);
});
afterAll(() => target[Symbol.asyncDispose]());

const stalled = { code: 'ENHANCE_YOUR_CALM', debug: 'stalled' };

describe('a client that takes nothing', () => {
  it('has 1,024 calls open and no more, and is given up', async () => {
    const { result, faults } = await attacked(target, flow.zeroWindow);
    // The heads of responses are not held back by windows.
    expect(result.seen.received['HEADERS']).toBe(1_024);
    expect(Object.keys(result.seen.resets)).toEqual(['REFUSED_STREAM']);
    expect(result.seen.goaway).toEqual(stalled);
    expect(Object.keys(faults).sort()).toEqual(['call refused', 'connection stalled']);
    expect(faults['connection stalled']).toBe(1);
  });

  it('is given up, however alive it looks', async () => {
    const { result, faults } = await attacked(target, flow.zeroWindowAlive);
    expect(result.seen.goaway).toEqual(stalled);
    expect(faults).toEqual({ 'connection stalled': 1 });
  });

  it.each([[flow.neverReads], [flow.longAnswersUnread], [dataAfterAllUnread]])(
    '$name: is read no further, and given up',
    async (attack) => {
      const { faults } = await attacked(target, attack);
      expect(faults).toMatchObject({ 'connection stalled': 1 });
      await waitUntil('the connection to be gone', async () => (await openConnections(target)) === 1);
    },
  );

  it('all that can be held, at once: read no further, and given up', async () => {
    const { faults } = await attacked(target, everything);
    expect(faults).toMatchObject({ 'connection stalled': 1 });
  });
});

it('a client that takes an octet at a time gets all of it', async () => {
  const { result, faults } = await attacked(target, flow.windowsOfOne);
  expect(result.seen.statuses).toEqual({ 0: result.sent });
  expect(result.seen.goaway).toBeUndefined();
  expect(faults).toEqual({});
});
