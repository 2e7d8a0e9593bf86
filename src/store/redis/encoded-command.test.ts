import { describe, expect, it } from 'vitest';
import { CommandSpaces, EncodedCommand } from './encoded-command.ts';

const sha1 = 'a'.repeat(40);

function octetsOf(args: readonly string[], spaces: CommandSpaces, keys: readonly string[] = []) {
  const space = spaces.take();
  const command = new EncodedCommand(sha1, keys, args, space);
  return { space, octets: command.toWritable() };
}

describe('EncodedCommand', () => {
  it('is EVALSHA with the number of keys, the keys and the arguments', () => {
    const { octets } = octetsOf(['', '10'], new CommandSpaces(), ['key']);
    const parts = ['evalsha', sha1, '1', 'key', '', '10'];
    const expected = `*6\r\n${parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('')}`;
    expect(octets.toString()).toBe(expected);
  });

  it('may be longer than a space', () => {
    const long = 'x'.repeat(100_000);
    const { octets } = octetsOf([long], new CommandSpaces());
    expect(octets.toString().endsWith(`$100000\r\n${long}\r\n`)).toBe(true);
  });
});

describe('CommandSpaces', () => {
  it('gives each command in flight a place of its own', () => {
    const spaces = new CommandSpaces();
    const first = octetsOf(['first'], spaces);
    const second = octetsOf(['second'], spaces);
    expect(first.octets.toString()).toContain('first');
    expect(second.octets.toString()).toContain('second');
  });

  it('gives the place of an answered command to the next', () => {
    const spaces = new CommandSpaces();
    const { space } = octetsOf(['first'], spaces);
    spaces.giveBack(space);
    expect(octetsOf(['second'], spaces).space).toBe(space);
  });
});
