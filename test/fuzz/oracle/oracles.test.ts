import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnections, type SingleMode } from '../modes.ts';
import { play } from '../play.ts';
import type { SessionMaker } from '../player.ts';
import { mixSeeds } from '../random.ts';
import { runFuzz } from '../run-fuzz.ts';
import { Script } from '../script.ts';
import { shrink } from '../shrink.ts';
import { breakages } from './breakages.ts';
import { GrowingSession, letGoOfKept } from './broken-sessions.ts';
import { faultOf } from './fault.ts';

const most = 3_000;
const seed = 20_261_130;

/** The rule that the first of the connections breaks which breaks one. */
async function firstBroken(
  mode: SingleMode,
  script: Script,
  make?: SessionMaker,
  count = most,
): Promise<string> {
  const connections = createConnections(script, { makeSession: make, patienceMs: 1_000 });
  for (let i = 0; i < count; i++) {
    try {
      await connections.run(mode, mixSeeds(seed, i));
    } catch (error) {
      return faultOf(error).rule;
    }
  }
  return `none in ${count}`;
}

afterEach(() => {
  vi.restoreAllMocks();
  letGoOfKept();
});

describe('a session is found out that', () => {
  it.each(breakages)('$what', async ({ mode, make, rule }) => {
    expect(await firstBroken(mode, new Script(), make)).toContain(rule);
  });

  it('keeps more and more', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const options = {
      seed,
      mode: 'mutate',
      seconds: Infinity,
      frames: 50_000,
      iteration: undefined,
      replay: undefined,
    } as const;
    expect(await runFuzz(options, (session) => new GrowingSession(session))).toBe(false);
    expect(log.mock.calls.flat().join('\n')).toContain('FAULT memory does not grow');
  });
});

describe('the sound session', () => {
  it.each(['mutate', 'grammar', 'hpack'] as const)('breaks no rule: %s', async (mode) => {
    expect(await firstBroken(mode, new Script(), undefined, 1_000)).toBe('none in 1000');
  });
});

describe('a failure', () => {
  const throwing = breakages.find(({ what }) => what === 'resets a stream twice');

  it('is made small, and seen again in a replay of its file', async () => {
    const script = new Script();
    const rule = await firstBroken('mutate', script, throwing?.make);
    const shrunk = await shrink(script, rule, { makeSession: throwing?.make, seconds: 20 });
    expect(shrunk?.steps.length).toBeLessThanOrEqual(2 * 5);
    const read = Script.fromJson(shrunk?.toJson('a note') ?? '');
    await expect(play(read, { makeSession: throwing?.make })).rejects.toThrow(rule);
    await expect(play(read)).resolves.toBeGreaterThan(0);
  });

  it('is told with all that is needed to see it again', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const options = {
      seed,
      mode: 'both',
      seconds: 20,
      frames: Infinity,
      iteration: undefined,
      replay: undefined,
    } as const;
    expect(await runFuzz(options, throwing?.make)).toBe(false);
    const said = log.mock.calls.flat().join('\n');
    expect(said).toContain('FAULT a stream is reset once');
    expect(said).toMatch(
      new RegExp(`again: node test/fuzz/fuzz.ts --mode both --seed ${seed} --iteration \\d+`),
    );
    expect(said).toMatch(/\d steps, \d+ octets: node test\/fuzz\/fuzz.ts --replay \/.*shrunk.json/);
  });
});
