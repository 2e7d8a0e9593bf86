import { slotCount } from '../../src/store/redis/cluster-slot.ts';
import { freePort } from './free-port.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { waitUntil } from './wait-until.ts';

/** A Redis Cluster of masters that share the 16384 slots in equal ranges. */
export interface RedisCluster extends AsyncDisposable {
  /** The masters, as the cluster was made. */
  readonly nodes: readonly RedisServer[];
  /** One of each master, in the order of `nodes`; empty unless asked for. */
  readonly replicas: readonly RedisServer[];
  /** `host:port,host:port,...` of all masters, as in REDIS_URL. */
  readonly addresses: string;
  /** Node identifiers, as CLUSTER MYID gives them, in the order of `nodes`. */
  readonly ids: readonly string[];
  /** Index of the node that a key belonged to when the cluster was made. */
  nodeOfSlot(slot: number): number;
  stop(): Promise<void>;
}

export interface RedisClusterOptions {
  readonly masters?: number;
  readonly config?: Readonly<Record<string, string>>;
  /** Ports that clients are told instead of the nodes' own, for a proxy before each node. */
  readonly announcedPorts?: readonly number[];
  readonly withReplicas?: boolean;
}

/** Throws `ToolMissing` where redis-server is not installed. */
export async function startCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const { masters = 3, config = {}, announcedPorts, withReplicas = false } = options;
  const started: ClusterNode[] = [];
  const stop = async () => {
    await Promise.all(started.map(({ server }) => server.stop()));
  };
  try {
    for (let index = 0; index < (withReplicas ? 2 * masters : masters); index += 1) {
      const busPort = await freePort();
      const clusterConfig = {
        'cluster-enabled': 'yes',
        'cluster-config-file': 'nodes.conf',
        'cluster-port': String(busPort),
        'cluster-node-timeout': '2000',
      };
      const announced = announcedPorts?.[index];
      const announce = announced === undefined ? {} : { 'cluster-announce-port': String(announced) };
      const server = await startRedis({ config: { ...clusterConfig, ...announce, ...config } });
      started.push({ server, busPort });
    }
    await joinNodes(started, masters);
    const servers = started.map(({ server }) => server);
    const [nodes, replicas] = [servers.slice(0, masters), servers.slice(masters)];
    const ids = await Promise.all(nodes.map((node) => node.client.cluster('MYID') as Promise<string>));
    await Promise.all(replicas.map((replica, index) => follow(replica, ids[index] as string)));
    return {
      nodes,
      replicas,
      addresses: nodes.map((node) => node.address).join(','),
      ids,
      nodeOfSlot: (slot) => Math.floor(slot / Math.ceil(slotCount / masters)),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ClusterNode {
  readonly server: RedisServer;
  readonly busPort: number;
}

/**
 * Gives the slots to the first of the nodes, and waits until all know each other, and themselves: a node leaves its own
 * address out of its answers about slots until another one has told it.
 */
async function joinNodes(nodes: readonly ClusterNode[], masters: number): Promise<void> {
  const share = Math.ceil(slotCount / masters);
  for (const [index, { server }] of nodes.entries()) {
    await server.client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    if (index < masters) {
      const last = Math.min((index + 1) * share, slotCount) - 1;
      await server.client.call('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
    }
    const [first] = nodes;
    if (first === undefined || index === 0) continue;
    const { port } = first.server;
    await server.client.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(first.busPort));
  }
  await waitUntil('the cluster is complete', async () => {
    const infos = await Promise.all(nodes.map(({ server }) => server.client.cluster('INFO')));
    const slots = await Promise.all(nodes.map(({ server }) => server.client.cluster('SLOTS')));
    return (
      infos.every(
        (info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}\r`),
      ) && slots.every((ranges) => ranges.length === masters && ranges.every(hasAddress))
    );
  });
}

/** @param range of CLUSTER SLOTS: first slot, last slot, nodes as [address, port, id], the master first */
function hasAddress(range: readonly unknown[]): boolean {
  const [, , master] = range as [number, number, readonly [string | null, ...unknown[]]];
  return Boolean(master[0]);
}

async function follow(replica: RedisServer, masterId: string): Promise<void> {
  await replica.client.call('CLUSTER', 'REPLICATE', masterId);
  await waitUntil('the replica follows', async () =>
    (await replica.client.info('replication')).includes('master_link_status:up'),
  );
}
