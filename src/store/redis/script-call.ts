import type { Cluster, Redis } from 'ioredis';
import { redisErrorRow } from './redis-error.ts';
import type { LuaScript } from './scripts.gen.ts';

export interface ScriptCall {
  readonly script: LuaScript;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** Asked before the script is sent again. */
  readonly isWanted: () => boolean;
}

/** Calls a script by its digest; a server that does not know it has executed nothing, and gets the text once. */
export async function callScript(client: Redis | Cluster, call: ScriptCall): Promise<unknown> {
  const { script, keys, args } = call;
  try {
    return await client.evalsha(script.sha1, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || redisErrorRow(error.message).retry !== 'with-source') throw error;
    if (!call.isWanted()) throw error;
    return await client.eval(script.source, keys.length, ...keys, ...args);
  }
}
