import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attacked } from './attacked.ts';
import * as gzip from './gzip-attacks.ts';
import * as messages from './message-attacks.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

/** RESOURCE_EXHAUSTED. */
const exhausted = '8';

describe('messages that are too large', () => {
  it('4 GiB, announced: refused before anything is kept', async () => {
    const { result, faults } = await attacked(target, messages.announced4GiB);
    expect(result.seen.statuses).toEqual({ [exhausted]: result.sent });
    expect(faults).toEqual({ 'call message-size': result.sent });
  });

  it('200 that are never complete: as much as the connection may hold, and then the largest goes', async () => {
    const { result, faults } = await attacked(target, messages.neverComplete);
    expect(result.seen.goaway).toBeUndefined();
    expect(Object.keys(result.seen.statuses)).toEqual([exhausted]);
    expect(Object.keys(faults)).toEqual(['call window-exhausted']);
  });

  it('more than the windows allow', async () => {
    const { result, faults } = await attacked(target, messages.beyondWindows);
    expect(result.seen.goaway?.code).toBe('FLOW_CONTROL_ERROR');
    expect(faults).toMatchObject({ 'connection flow-control': 1 });
  });
});

describe('messages that are larger than they look', () => {
  it('gzip of zeros: one after another, and none of them is a request', async () => {
    const { result, faults } = await attacked(target, gzip.gzipBombs);
    expect(result.seen.statuses).toEqual({ 3: result.sent });
    expect(faults).toEqual({});
  });

  it('gzip of large requests: all are answered', async () => {
    const { result, faults } = await attacked(target, gzip.gzipRequests);
    expect(result.seen.statuses).toEqual({ 0: result.sent });
    expect(faults).toEqual({});
  });

  it('gzip of names that calls would hold for as long as they are open: too long for that', async () => {
    const { result, faults } = await attacked(target, gzip.gzipNames);
    expect(result.seen.statuses).toEqual({ [exhausted]: result.sent });
    expect(faults).toEqual({});
  });

  it('the same names in full', async () => {
    const { result, faults } = await attacked(target, messages.longNames);
    expect(result.seen.statuses).toEqual({ [exhausted]: 2 });
    expect(result.seen.goaway).toBeUndefined();
    expect(faults).toEqual({});
  });

  it('empty messages that wait for their handler', async () => {
    const { result, faults } = await attacked(target, messages.emptyMessages);
    expect(result.sent).toBeGreaterThan(1_000_000);
    expect(result.seen.goaway).toBeUndefined();
    expect(faults).toEqual({});
  });

  it('messages in frames of one octet', async () => {
    const { result, faults } = await attacked(target, messages.tinyFrames, 4);
    expect(result.seen.goaway).toBeUndefined();
    expect(faults).toEqual({ 'call unknown-method': 1 });
  });

  it('calls that end in one packet: they take turns', async () => {
    const { result, faults } = await attacked(target, messages.allAtOnce);
    expect(result.seen.statuses).toEqual({ 0: result.sent });
    expect(faults).toEqual({});
  });
});
