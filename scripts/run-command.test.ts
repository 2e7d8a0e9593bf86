import { describe, expect, it } from 'vitest';
import { lastLine, runCommand } from './run-command.ts';

const node = (program: string, limitMs?: number) =>
  runCommand(process.execPath, ['-e', program], limitMs === undefined ? {} : { limitMs });

describe('runCommand', () => {
  it('collects what a command says on both streams', async () => {
    const result = await node('console.log("one"); console.error("two")');
    expect(result.ok).toBe(true);
    expect(result.output.split('\n').sort()).toEqual(['', 'one', 'two']);
  });

  it('reports an exit code other than 0', async () => {
    expect(await node('console.error("why"); process.exitCode = 3')).toMatchObject({
      ok: false,
      output: 'why\n',
    });
  });

  it('reports a program that is not there', async () => {
    const result = await runCommand('no-such-program', []);
    expect(result).toMatchObject({ ok: false });
    expect(result.output).toContain('ENOENT');
  });

  it('ends a command at its limit', async () => {
    const result = await node('setInterval(() => {}, 1000)', 300);
    expect(result.ok).toBe(false);
    expect(result.output).toContain('SIGTERM');
  });
});

describe('lastLine', () => {
  it.each([
    ['one\ntwo\n\n', 'two'],
    ['  alone  ', 'alone'],
    ['', ''],
  ])('of %j is %j', (text, line) => expect(lastLine(text)).toBe(line));
});
