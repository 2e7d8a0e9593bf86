import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { attacked, openConnections } from './attacked.ts';
import * as floods from './floods.ts';
import * as resets from './reset-attacks.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

/** What is sent with ENHANCE_YOUR_CALM, and counted. */
const tooMany = (debug: string) => ({ code: 'ENHANCE_YOUR_CALM', debug });

describe('floods are ended, and counted', () => {
  it.each([
    [resets.rapidReset, 'rapid-reset'],
    [resets.rapidResetOfWork, 'rapid-reset'],
    [floods.settingsFlood, 'settings'],
    [floods.settingsUnread, 'settings'],
    [floods.largeSettings, 'settings'],
    [floods.windowsUpAndDown, 'settings'],
    [floods.pingFlood, 'pings'],
    [floods.pingsUnread, 'pings'],
    [floods.emptyData, 'empty-frames'],
    [floods.paddedData, 'empty-frames'],
    [floods.priorities, 'priorities'],
    [floods.windowUpdates, 'window-updates'],
    [floods.windowUpdatesForNothing, 'window-updates'],
  ])('$name', async (attack, fault) => {
    const { result, faults } = await attacked(target, attack);
    expect(result.seen.goaway).toEqual(tooMany(fault));
    expect(faults).toEqual({ [`connection ${fault}`]: 1 });
  });

  it('PING without calls, with the text on which gRPC clients ask less often', async () => {
    const { result, faults } = await attacked(target, floods.idlePings);
    expect(result.seen.goaway).toEqual(tooMany('too_many_pings'));
    expect(faults).toEqual({ 'connection idle-pings': 1 });
  });
});

describe('streams that the service has to reset are counted too', () => {
  it.each(resets.madeYouReset)('$name', async (attack) => {
    const { result, faults } = await attacked(target, attack);
    expect(result.seen.goaway).toEqual(tooMany('stream-errors'));
    expect(faults).toMatchObject({ 'connection stream-errors': 1 });
    const resets = Object.values(result.seen.resets).reduce((sum, count) => sum + count, 0);
    // A hundred at once, and ten more a second.
    expect(resets).toBeGreaterThanOrEqual(100);
    expect(resets).toBeLessThan(1_000);
  });
});

describe('what costs no more than to be read is not ended', () => {
  it('frames that mean nothing', async () => {
    const { result, faults } = await attacked(target, floods.ignoredFrames);
    expect(result.seen.goaway).toBeUndefined();
    expect(faults).toEqual({});
  });

  it('DATA for calls that never were: an RST_STREAM for each call', async () => {
    const { result, faults } = await attacked(target, resets.dataAfterAll);
    expect(result.seen.goaway).toBeUndefined();
    expect(Object.keys(result.seen.resets)).toEqual(['STREAM_CLOSED']);
    expect(Object.keys(faults)).toEqual(['call stream-closed']);
  });
});

it('answers that are not read, one by one, cost what they weigh', async () => {
  const { faults } = await attacked(target, resets.trickleUnread, 8);
  expect(Object.keys(faults)).toEqual(['call stream-closed']);
});

describe('a connection that is ended', () => {
  it('is ended for one reason, and nothing behind it is read', async () => {
    const { result, faults } = await attacked(target, floods.windowOverflow);
    expect(result.seen.goaway?.code).toBe('FLOW_CONTROL_ERROR');
    expect(result.seen.received['HEADERS']).toBeUndefined();
    expect(faults).toEqual({ 'connection flow-control': 1 });
    await waitUntil('it to be forgotten', async () => (await openConnections(target)) === 1);
  });
});
