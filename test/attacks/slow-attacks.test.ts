import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { attacked, openConnections, underAttack } from './attacked.ts';
import { openCrowd, type Place, places } from './crowd-attacks.ts';
import * as slow from './slow-attacks.ts';
import { startTarget, type Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await startTarget({ ...slow.impatient, GRPC_MAX_CONNECTION_IDLE: '2s' });
});
afterAll(() => target[Symbol.asyncDispose]());

/** DEADLINE_EXCEEDED. */
const tooLate = '4';
const slowFrame = { code: 'ENHANCE_YOUR_CALM', debug: 'slow-frame' };
const handshake = { code: 'SETTINGS_TIMEOUT', debug: 'handshake-timeout' };

describe('a client that takes its time', () => {
  it.each([
    [slow.slowHeaders, slowFrame],
    [slow.slowBlock, slowFrame],
    [slow.slowPreface, handshake],
  ])('$name', async (attack, goaway) => {
    const { result, faults } = await attacked(target, attack);
    expect(result.seen.goaway).toEqual(goaway);
    expect(faults).toEqual({ [`connection ${goaway.debug}`]: 1 });
  });

  it('with a request: the call ends, and the connection does not', async () => {
    const { result, faults } = await attacked(target, slow.slowBody);
    expect(result.seen.statuses).toEqual({ [tooLate]: 1 });
    expect(result.seen.goaway?.code ?? 'NO_ERROR').toBe('NO_ERROR');
    expect(faults).toEqual({ 'call slow-request': 1 });
  });
});

describe('peers of which half is there', () => {
  const each = 50;
  const allGone = () => waitUntil('them to be gone', async () => (await openConnections(target)) === 1);

  it('those that fall silent are ended, also when they keep their side open', async () => {
    const { result, faults } = await underAttack(target, async (look) => {
      await using crowds = new AsyncDisposableStack();
      const silent = async ({ options, octets }: Place) => {
        const crowd = crowds.use(await openCrowd(target.address, each, { ...options, staysHalfOpen: true }));
        await Promise.all(crowd.members.map((member) => member.send(octets)));
        return crowd.members;
      };
      const members = await Promise.all(Object.values(places).map(silent));
      await look();
      await allGone();
      return members.flat().filter(({ seen }) => seen.goaway?.code === 'NO_ERROR').length;
    });
    const { 'connection handshake-timeout': unknown = 0, 'connection slow-frame': begun = 0 } = faults;
    expect(unknown).toBeGreaterThanOrEqual(4 * each);
    // On a busy machine, SETTINGS of some may come too late.
    expect(unknown + begun).toBe(6 * each);
    expect(Object.keys(faults)).toHaveLength(3);
    expect(faults['call slow-request']).toBeGreaterThan(0);
    // Those that have said all they must are asked to leave, with or without a call.
    expect(result).toBeGreaterThanOrEqual(each);
  });

  describe.each(Object.entries(places))('those that leave %s are forgotten', (_, { options, octets }) => {
    it.each(['FIN', 'RST'])('with %s', async (how) => {
      const { faults } = await underAttack(target, async () => {
        await using crowd = await openCrowd(target.address, each, options);
        for (const { socket } of crowd.members) {
          socket.write(octets, () => (how === 'FIN' ? socket.end() : socket.resetAndDestroy()));
        }
        await Promise.all(crowd.members.map((member) => member.ended()));
        await allGone();
      });
      expect(faults).toEqual({});
    });
  });
});
