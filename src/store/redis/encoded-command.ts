import { Command } from 'ioredis';

/**
 * EVALSHA as the octets that are sent (RESP, "Arrays" and "Bulk strings"). ioredis would measure each of some hundred
 * arguments as UTF-8, and have them all encoded again on their way out. All texts are ASCII.
 */
export class EncodedCommand extends Command {
  readonly #octets: Buffer;

  constructor(sha1: string, keys: readonly string[], args: readonly string[], space: CommandSpace) {
    super('evalsha', [], { replyEncoding: 'utf8' });
    let text = `*${3 + keys.length + args.length}\r\n$7\r\nevalsha\r\n$${sha1.length}\r\n${sha1}\r\n`;
    const count = String(keys.length);
    text += `$${count.length}\r\n${count}\r\n`;
    for (const key of keys) text += `${lengthLine(key)}${key}\r\n`;
    for (const arg of args) text += `${lengthLine(arg)}${arg}\r\n`;
    this.#octets = space.encode(text);
  }

  override toWritable(): Buffer {
    return this.#octets;
  }
}

/** What stands before a bulk string. */
function lengthLine(text: string): string {
  return lengthLines[text.length] ?? `$${text.length}\r\n`;
}

/** Keys are not much longer, so that hardly any has to be made. */
const lengthLines: readonly string[] = Array.from({ length: 1_024 }, (_, length) => `$${length}\r\n`);

/** Most commands are not longer. */
const spaceSize = 65_536;

/**
 * Where a command is written. A server that answered has read all of it, so that the next one can be written to the
 * same place: memory that is taken from outside the heap for each command makes V8 collect its whole heap again and again.
 */
export class CommandSpace {
  readonly #space = Buffer.allocUnsafeSlow(spaceSize);

  encode(text: string): Buffer {
    if (text.length > spaceSize) return Buffer.from(text, 'latin1');
    return this.#space.subarray(0, this.#space.write(text, 'latin1'));
  }
}

/** Spaces of one connection that are not in use; there are as many as it has commands in flight. */
export class CommandSpaces {
  readonly #free: CommandSpace[] = [];

  take(): CommandSpace {
    return this.#free.pop() ?? new CommandSpace();
  }

  /** To be called when the command was answered, and only then: what broke may still be on its way out. */
  giveBack(space: CommandSpace): void {
    this.#free.push(space);
  }
}
