import type { Cluster, Redis } from 'ioredis';
import { type CommandSpaces, EncodedCommand } from './encoded-command.ts';
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

/** Calls a script on one server, by its connection. */
export function callOnNode(client: Redis, call: ScriptCall, spaces: CommandSpaces): Promise<unknown> {
  return callScript(client, call, async ({ script, keys, args }) => {
    const space = spaces.take();
    const reply = await client.sendCommand(new EncodedCommand(script.sha1, keys, args, space));
    spaces.giveBack(space);
    return reply;
  });
}

/** Calls a script where its keys are: a cluster's client finds the node by them, and follows redirects. */
export function callOnCluster(cluster: Cluster, call: ScriptCall): Promise<unknown> {
  return callScript(cluster, call, ({ script, keys, args }) => {
    return cluster.evalsha(script.sha1, keys.length, ...keys, ...args);
  });
}

/** Calls a script by its digest; a server that does not know it has executed nothing, and gets the text once. */
async function callScript(
  client: Redis | Cluster,
  call: ScriptCall,
  byDigest: (call: ScriptCall) => Promise<unknown>,
): Promise<unknown> {
  try {
    return await byDigest(call);
  } catch (error) {
    if (!(error instanceof Error) || redisErrorRow(error.message).retry !== 'with-source') throw error;
    if (!call.isWanted()) throw error;
    const { script, keys, args } = call;
    return await client.eval(script.source, keys.length, ...keys, ...args);
  }
}
