import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { createLogger } from '../../log.ts';
import { createTokenCheck, createTokenFileCheck } from './bearer-token.ts';
import { isToken } from './token-syntax.ts';

const [first, second] = ['the-first-token-of-all', 'the-second-token-of-all'];

describe('what a token may be', () => {
  it.each([first, 'abcdefghijklmnop', 'AZaz09-._~+/AZaz09==', 'x'.repeat(4_096)])('%.40s', (text) => {
    expect(isToken(text)).toBe(true);
  });

  it.each([
    '',
    'abcdefghijklmno',
    `${first} `,
    `${first}\n`,
    `${first},`,
    `=${first}`,
    `${first}é`,
    'a='.repeat(9),
  ])('not "%s"', (text) => {
    expect(isToken(text)).toBe(false);
  });
});

describe('a token that stays', () => {
  it('is the token, and nothing else is', async () => {
    const isTheToken = createTokenCheck(first);
    await expect(isTheToken(first)).resolves.toBe(true);
    for (const other of ['', first.slice(0, -1), `${first}x`, first.toUpperCase(), second]) {
      await expect(isTheToken(other)).resolves.toBe(false);
    }
  });
});

describe('a token in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weir-token-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  async function start(name: string, content: string) {
    const file = join(directory, name);
    writeFileSync(file, content);
    const clock = fakeClock();
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
    const log = createLogger({ level: 'trace', format: 'json', destination });
    const isTheToken = await createTokenFileCheck({ file, clock, log });
    return { file, clock, lines, isTheToken, look: () => clock.advance(2_000) };
  }

  it('may end in a newline', async () => {
    const { isTheToken } = await start('newline', `${first}\r\n`);
    await expect(isTheToken(first)).resolves.toBe(true);
  });

  it('is another one soon after the file is, and the old one is of no use then', async () => {
    const { file, clock, lines, isTheToken } = await start('changes', first);
    writeFileSync(`${file}.new`, second);
    renameSync(`${file}.new`, file);
    clock.advance(1_999);
    await expect(isTheToken(first)).resolves.toBe(true);
    clock.advance(1);
    // The request that has the file read does not get by with the old one, nor does one that comes meanwhile.
    const answers = [isTheToken(first), isTheToken(first), isTheToken(second)];
    await expect(Promise.all(answers)).resolves.toEqual([false, false, true]);
    expect(lines).toMatchObject([{ level: 'info', '@message': 'the token was read again', file }]);
    expect(JSON.stringify(lines)).not.toContain(second);
  });

  it.each([
    ['is gone', (file: string) => rmSync(file), 'ENOENT'],
    [
      'holds no token',
      (file: string) => writeFileSync(file, 'short'),
      'holds no token: 16 characters or more',
    ],
  ])(
    'that %s lets nobody in, says so once, and lets the owner of a new one in',
    async (what, spoil, reason) => {
      const { file, lines, isTheToken, look } = await start(what, first);
      spoil(file);
      for (let i = 0; i < 3; i += 1) {
        look();
        for (const text of [first, 'short', '']) await expect(isTheToken(text)).resolves.toBe(false);
      }
      expect(lines).toMatchObject([{ level: 'error', reason: expect.stringContaining(reason) }]);
      writeFileSync(file, second);
      look();
      await expect(isTheToken(second)).resolves.toBe(true);
    },
  );

  it('that is not there at the start is an error', async () => {
    const options = { clock: fakeClock(), log: createLogger({ level: 'fatal', format: 'json' }) };
    await expect(createTokenFileCheck({ file: '/no/such/token', ...options })).rejects.toThrow('ENOENT');
    await expect(createTokenFileCheck({ file: '/dev/null', ...options })).rejects.toThrow(
      '/dev/null holds no token',
    );
  });
});
