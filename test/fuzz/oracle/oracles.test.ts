import { afterEach, describe, expect, it, vi } from 'vitest';
import { createConnections, type SingleMode } from '../modes.ts';
import { play } from '../play.ts';
import type { SessionMaker } from '../player.ts';
import { mixSeeds } from '../random.ts';
import { runFuzz } from '../run-fuzz.ts';
import { Script } from '../script.ts';
import { shrink } from '../shrink.ts';
import { type Breakage, breakages } from './breakages.ts';
import { GrowingSession, letGoOfKept } from './broken-sessions.ts';
import { faultOf } from './fault.ts';

const most = 3_000;
const seed = 20_261_130;

interface Search {
  readonly mode: SingleMode;
  readonly make?: SessionMaker;
  readonly script?: Script;
  readonly count?: number;
  /** A session that is broken in one place breaks other rules, too, as it happens. */
  readonly rule?: string;
}

/** The rule that a connection breaks: the first of them which breaks one, or this one. */
async function brokenRule({
  mode,
  make,
  script = new Script(),
  count = most,
  rule = '',
}: Search): Promise<string> {
  const patience = make === undefined ? {} : { patienceMs: 1_000 };
  const connections = createConnections(script, { makeSession: make, ...patience });
  const broken = new Set<string>();
  for (let i = 0; i < count; i++) {
    try {
      await connections.run(mode, mixSeeds(seed, i));
    } catch (error) {
      const found = faultOf(error).rule;
      if (found.includes(rule)) return found;
      broken.add(found);
    }
  }
  return ['none', ...broken].join(', ');
}

afterEach(() => {
  vi.restoreAllMocks();
  letGoOfKept();
});

describe('a session is found out that', () => {
  it.each(breakages)('$what', async ({ mode, make, rule }) => {
    expect(await brokenRule({ mode, make, rule })).toMatch(new RegExp(`^${rule}`));
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
    expect(await brokenRule({ mode, count: 1_000 })).toBe('none');
  });
});

describe('a failure', () => {
  const throwing = breakages.find(({ what }) => what === 'resets a stream twice') as Breakage;

  it('is made small, and seen again in a replay of its file', async () => {
    const script = new Script();
    const rule = await brokenRule({ mode: 'mutate', script, make: throwing.make });
    const shrunk = await shrink(script, rule, { makeSession: throwing.make, seconds: 20 });
    expect(shrunk?.steps.length).toBeLessThanOrEqual(2 * 5);
    const read = Script.fromJson(shrunk?.toJson('a note') ?? '');
    await expect(play(read, { makeSession: throwing.make })).rejects.toThrow(rule);
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
    expect(await runFuzz(options, throwing.make)).toBe(false);
    const said = log.mock.calls.flat().join('\n');
    expect(said).toContain('FAULT a stream is reset once');
    expect(said).toMatch(
      new RegExp(`again: node test/fuzz/fuzz.ts --mode both --seed ${seed} --iteration \\d+`),
    );
    expect(said).toMatch(/\d steps, \d+ octets: node test\/fuzz\/fuzz.ts --replay \/.*shrunk.json/);
  });
});
