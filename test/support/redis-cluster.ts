import { freePort } from './free-port.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { waitUntil } from './wait-until.ts';

/** A Redis Cluster of masters that share the 16384 slots in equal ranges. */
export interface RedisCluster extends AsyncDisposable {
  readonly nodes: readonly RedisServer[];
  /** `host:port,host:port,...` of all nodes, as in REDIS_URL. */
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
}

const slotCount = 16_384;

/** Throws `ToolMissing` where redis-server is not installed. */
export async function startCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const { masters = 3, config = {}, announcedPorts } = options;
  const nodes: RedisServer[] = [];
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    const busPorts: number[] = [];
    for (let index = 0; index < masters; index += 1) {
      const busPort = await freePort();
      busPorts.push(busPort);
      const clusterConfig = {
        'cluster-enabled': 'yes',
        'cluster-config-file': 'nodes.conf',
        'cluster-port': String(busPort),
        'cluster-node-timeout': '2000',
      };
      const announced = announcedPorts?.[index];
      const announce = announced === undefined ? {} : { 'cluster-announce-port': String(announced) };
      nodes.push(await startRedis({ config: { ...clusterConfig, ...announce, ...config } }));
    }
    await joinNodes(nodes, busPorts);
  } catch (error) {
    await stop();
    throw error;
  }
  const ids = await Promise.all(nodes.map((node) => node.client.cluster('MYID') as Promise<string>));
  return {
    nodes,
    addresses: nodes.map((node) => node.address).join(','),
    ids,
    nodeOfSlot: (slot) => Math.floor(slot / Math.ceil(slotCount / masters)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function joinNodes(nodes: readonly RedisServer[], busPorts: readonly number[]): Promise<void> {
  const share = Math.ceil(slotCount / nodes.length);
  const [first] = nodes;
  if (first === undefined) return;
  for (const [index, node] of nodes.entries()) {
    const last = Math.min((index + 1) * share, slotCount) - 1;
    await node.client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    await node.client.call('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
    if (index === 0) continue;
    await node.client.call('CLUSTER', 'MEET', '127.0.0.1', String(first.port), String(busPorts[0]));
  }
  await waitUntil('the cluster is complete', async () => {
    const infos = await Promise.all(nodes.map((node) => node.client.cluster('INFO')));
    return infos.every(
      (info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}\r`),
    );
  });
}
