import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RedisCluster } from '../support/redis-cluster.ts';

/** A node that has slots. */
export interface SlotOwner {
  readonly client: Redis | undefined;
  readonly port: number;
}

/** As redis-cli does it: the two nodes are told, the keys go over, and all are told of the new owner. */
export async function moveSlot(
  { nodes, replicas }: RedisCluster,
  slot: number,
  from: SlotOwner | undefined,
  to: SlotOwner | undefined,
): Promise<void> {
  const [source, target] = [from?.client, to?.client];
  if (source === undefined || target === undefined) throw new Error('no such node');
  const name = String(slot);
  const [sourceId, targetId] = await Promise.all([idOf(source), idOf(target)]);
  await target.call('CLUSTER', 'SETSLOT', name, 'IMPORTING', sourceId);
  await source.call('CLUSTER', 'SETSLOT', name, 'MIGRATING', targetId);
  await sleep(20);
  for (;;) {
    const keys = (await source.cluster('GETKEYSINSLOT', slot, 100)) as unknown as string[];
    if (keys.length === 0) break;
    await source.call('MIGRATE', '127.0.0.1', String(to?.port), '', '0', '5000', 'KEYS', ...keys);
  }
  for (const client of [target, source, ...[...nodes, ...replicas].map((node) => node.client)]) {
    if ((await client.info('replication')).includes('role:master')) {
      await client.call('CLUSTER', 'SETSLOT', name, 'NODE', targetId);
    }
  }
}

function idOf(client: Redis): Promise<string> {
  return client.cluster('MYID') as Promise<string>;
}
