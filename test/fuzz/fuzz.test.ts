import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the program. What it prints is shown, since it has the seed. */
function fuzz(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, ['test/fuzz/fuzz.ts', ...args], { cwd: root });
  let output = '';
  const add = (octets: Buffer) => {
    output += octets;
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      console.log(output);
      resolve({ code, output });
    });
  });
}

describe('fuzzing finds no fault', () => {
  it('in ten million frames of recorded connections that were changed', async () => {
    // Two at once, for two processors. Each has its own seed, and another one each time.
    const runs = Array.from({ length: 2 }, () => fuzz('--mode', 'mutate', '--frames', '5000000'));
    for (const { code, output } of await Promise.all(runs)) {
      expect(output).toContain('no fault');
      expect(code).toBe(0);
    }
  });

  it('in connections by the grammar, and in header blocks', async () => {
    const runs = [fuzz('--mode', 'grammar', '--seconds', '15'), fuzz('--mode', 'hpack', '--seconds', '10')];
    for (const { code, output } of await Promise.all(runs)) {
      expect(output).toContain('no fault');
      expect(code).toBe(0);
    }
  });

  it('in the connections of a seed, which are always the same', async () => {
    const { code, output } = await fuzz('--seed', '1', '--frames', '150000');
    expect(output).toContain('--seed 1\n');
    expect(code).toBe(0);
  });
});

describe('the program', () => {
  it('tells how it is used when it is used otherwise', async () => {
    const { code, output } = await fuzz('--mode', 'sometimes');
    expect(output).toContain('--mode mutate|grammar|hpack|both');
    expect(code).toBe(2);
  });

  it('ends with an iteration that does not end', async () => {
    const module = JSON.stringify(new URL('watchdog.ts', import.meta.url).href);
    const text = `
      const { Watchdog } = await import(${module});
      const watchdog = new Watchdog('fuzz', 1_000);
      await watchdog.isReady;
      watchdog.beat(7);
      for (;;);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', text]);
    let said = '';
    child.stderr.on('data', (octets: Buffer) => {
      said += octets;
    });
    const signal = await new Promise((resolve) => child.on('close', (_, killedBy) => resolve(killedBy)));
    expect(signal).toBe('SIGKILL');
    expect(said).toContain('FAULT a connection does not end in 1000 ms: fuzz --iteration 7\n');
  });
});
