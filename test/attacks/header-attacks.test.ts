import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags, frame } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { onConnection } from './attack.ts';
import { attacked } from './attacked.ts';
import * as headers from './header-attacks.ts';
import { begin, data, methods, smallRequest } from './hostile-frames.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const calm = (debug: string) => ({ code: 'ENHANCE_YOUR_CALM', debug });

describe('a header block that does not end', () => {
  it.each([[headers.endlessContinuation], [headers.smallContinuations], [headers.emptyContinuations]])(
    '$name',
    async (attack) => {
      const { result, faults } = await attacked(target, attack);
      expect(result.seen.goaway).toEqual(calm('header-block-size'));
      expect(faults).toEqual({ 'connection header-block-size': 1 });
    },
  );
});

describe('blocks that mean more than they are', () => {
  it.each([[headers.hpackBomb], [headers.huffmanBomb], [headers.manyFields]])('$name', async (attack) => {
    const { result, faults } = await attacked(target, attack);
    expect(result.seen.goaway).toEqual(calm('stream-errors'));
    expect(Object.keys(result.seen.resets)).toEqual(['ENHANCE_YOUR_CALM']);
    expect(Object.keys(faults).sort()).toEqual(['call header-list-size', 'connection stream-errors']);
  });
});

describe('blocks that are none', () => {
  it.each(Object.entries(headers.brokenBlocks))('%s', async (name, octets) => {
    const attack = onConnection({ name, unit: 'blocks' }, async (client) => {
      await client.send(frame('HEADERS', flags.END_HEADERS, 1, octets));
      await client.ended();
      return 1;
    });
    const { result, faults } = await attacked(target, attack);
    expect(result.seen.goaway).toEqual({ code: 'COMPRESSION_ERROR', debug: 'compression' });
    expect(faults).toEqual({ 'connection compression': 1 });
  });
});

describe('blocks that are allowed are served', () => {
  it('tables that are emptied and filled by each call', async () => {
    const { result, faults } = await attacked(target, headers.tableGames);
    expect(result.seen.goaway).toBeUndefined();
    expect(result.seen.resets).toEqual({});
    expect(faults).toEqual({});
  });

  it('header blocks for a call that was refused are read for the table alone', async () => {
    const { result, faults } = await attacked(target, headers.blocksForNothing);
    expect(result.seen.goaway).toBeUndefined();
    expect(result.seen.received['RST_STREAM']).toBe(1);
    expect(faults).toEqual({ 'call unknown-method': 1 });
  });
});

describe('heads of calls that stay open', () => {
  it('keep nothing of their fields', async () => {
    const { result, faults } = await attacked(target, headers.http2Bomb);
    expect(result.seen.goaway).toBeUndefined();
    expect(faults).toEqual({});
  });

  it('keep no encoding that is none', async () => {
    const { faults } = await attacked(target, headers.longEncodings, 4);
    expect(faults).toEqual({ 'call unknown-method': 1 });
  });
});

it('CVE-2026-33186: a path without its slash is no method', async () => {
  const attack = onConnection({ name: 'a path', unit: 'calls' }, async (client) => {
    await client.send(begin(1, methods.decide.slice(1)), data(1, smallRequest));
    await waitUntil('the refusal', () => client.count('RST_STREAM') === 1);
    return 1;
  });
  const { result } = await attacked(target, attack);
  expect(result.seen.statuses).toEqual({ 12: 1 });
});
