import { type Cluster, Command, Redis } from 'ioredis';
import { redisErrorRow } from './redis-error.ts';
import type { LuaScript } from './scripts.gen.ts';

export interface ScriptCall {
  readonly script: LuaScript;
  readonly keys: readonly string[];
  /** Keys and arguments are ASCII. */
  readonly args: readonly string[];
  /** Asked before the script is sent again. */
  readonly isWanted: () => boolean;
}

/** Calls a script by its digest; a server that does not know it has executed nothing, and gets the text once. */
export async function callScript(client: Redis | Cluster, call: ScriptCall): Promise<unknown> {
  const { script, keys, args } = call;
  try {
    return await callByDigest(client, call);
  } catch (error) {
    if (!(error instanceof Error) || redisErrorRow(error.message).retry !== 'with-source') throw error;
    if (!call.isWanted()) throw error;
    return await client.eval(script.source, keys.length, ...keys, ...args);
  }
}

/** A cluster's client wants to see the keys, to find the node; a node's client wants nothing but what to send. */
function callByDigest(client: Redis | Cluster, { script, keys, args }: ScriptCall): Promise<unknown> {
  if (client instanceof Redis)
    return client.sendCommand(new EncodedCommand(script.sha1, keys, args)) as Promise<unknown>;
  return client.evalsha(script.sha1, keys.length, ...keys, ...args);
}

/** What stands before a bulk string. */
function lengthLine(text: string): string {
  return lengthLines[text.length] ?? `$${text.length}\r\n`;
}

/** Keys are not much longer, so that hardly any has to be made. */
const lengthLines: readonly string[] = Array.from({ length: 1_024 }, (_, length) => `$${length}\r\n`);

/**
 * EVALSHA as the octets that are sent (RESP, "Arrays" and "Bulk strings"). ioredis would measure each of some hundred
 * arguments as UTF-8, and have them all encoded again on their way out.
 */
class EncodedCommand extends Command {
  readonly #octets: Buffer;

  constructor(sha1: string, keys: readonly string[], args: readonly string[]) {
    super('evalsha', [], { replyEncoding: 'utf8' });
    let text = `*${3 + keys.length + args.length}\r\n$7\r\nevalsha\r\n$${sha1.length}\r\n${sha1}\r\n`;
    const count = String(keys.length);
    text += `$${count.length}\r\n${count}\r\n`;
    for (const key of keys) text += `${lengthLine(key)}${key}\r\n`;
    for (const arg of args) text += `${lengthLine(arg)}${arg}\r\n`;
    this.#octets = Buffer.from(text, 'latin1');
  }

  override toWritable(): Buffer {
    return this.#octets;
  }
}
