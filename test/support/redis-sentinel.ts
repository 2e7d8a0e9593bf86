import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-port.ts';
import { type Certificates, makeCertificates } from './redis-certificates.ts';
import { killRedisProcess, PortTaken, type RedisConfig, startRedisProcess } from './redis-process.ts';
import { type RedisServer, startRedis, tlsConfig } from './redis-server.ts';
import { waitUntil } from './wait-until.ts';

/** A master with a replica, and Sentinels that watch them. */
export interface RedisSentinels extends AsyncDisposable {
  readonly masterName: string;
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** `host:port` of each Sentinel; with TLS, of its TLS port. */
  readonly addresses: readonly string[];
  /** Of all of them; undefined without TLS. */
  readonly certificates: Certificates | undefined;
  /** `masterName,host:port,...`, as in REDIS_URL. */
  readonly url: string;
  /** Makes the replica the master, and waits until all Sentinels say so. */
  failover(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisSentinelsOptions {
  readonly sentinels?: number;
  /** Password of the Redis servers. */
  readonly password?: string;
  /** Password of the Sentinels themselves. */
  readonly sentinelPassword?: string;
  /** Speak TLS to each other, and to clients. */
  readonly tls?: boolean;
}

interface SentinelProcess {
  readonly address: string;
  readonly client: Redis;
  stop(): Promise<void>;
}

const masterName = 'weirmaster';

/** Throws `ToolMissing` where redis-server or redis-sentinel is not installed. */
export async function startSentinels(options: RedisSentinelsOptions = {}): Promise<RedisSentinels> {
  const { sentinels = 3, password, sentinelPassword } = options;
  const directory = await mkdtemp(join(tmpdir(), 'weir-sentinels-'));
  const parts: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(parts.map((part) => part.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const certificates = options.tls === true ? makeCertificates(directory) : undefined;
    const portOf = (server: RedisServer) => (certificates === undefined ? server.port : server.tlsPort);
    const start = (config: RedisConfig) =>
      startRedis({
        ...(password === undefined ? {} : { password }),
        ...(certificates === undefined ? {} : { tls: certificates }),
        config: {
          ...(password === undefined ? {} : { masterauth: password }),
          ...(certificates === undefined ? {} : { 'tls-replication': 'yes' }),
          ...config,
        },
      });
    const master = await start({});
    parts.push(master);
    const replica = await start({ replicaof: `127.0.0.1 ${portOf(master)}` });
    parts.push(replica);
    await waitUntil('the replica follows', async () =>
      (await replica.client.info('replication')).includes('master_link_status:up'),
    );
    const watchers: SentinelProcess[] = [];
    for (let index = 0; index < sentinels; index += 1) {
      const watcher = await startSentinel({
        masterPort: portOf(master),
        quorum: Math.floor(sentinels / 2) + 1,
        password,
        sentinelPassword,
        certificates,
      });
      watchers.push(watcher);
      parts.push(watcher);
    }
    await waitUntil('the Sentinels know each other and the replica', () => knowAll(watchers), 20_000);
    const addresses = watchers.map((watcher) => watcher.address);
    return {
      masterName,
      master,
      replica,
      addresses,
      certificates,
      url: [masterName, ...addresses].join(','),
      failover: () => failover(watchers, portOf(replica)),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface SentinelOptions {
  readonly masterPort: number;
  /** Sentinels that must agree that the master is gone. */
  readonly quorum: number;
  readonly password: string | undefined;
  readonly sentinelPassword: string | undefined;
  readonly certificates: Certificates | undefined;
}

async function startSentinel(options: SentinelOptions): Promise<SentinelProcess> {
  const { masterPort, quorum, password, sentinelPassword, certificates } = options;
  for (let attempt = 1; ; attempt += 1) {
    const directory = await mkdtemp(join(tmpdir(), 'weir-sentinel-'));
    const [port = 0, tlsPort = 0] = await freePorts(2);
    const config = {
      bind: '127.0.0.1',
      port: String(port),
      dir: directory,
      ...(certificates === undefined
        ? {}
        : { ...tlsConfig(certificates, tlsPort), 'tls-replication': 'yes' }),
      'sentinel monitor': `${masterName} 127.0.0.1 ${masterPort} ${quorum}`,
      'sentinel down-after-milliseconds': `${masterName} 1000`,
      'sentinel failover-timeout': `${masterName} 3000`,
      ...(password === undefined ? {} : { 'sentinel auth-pass': `${masterName} ${password}` }),
      ...(sentinelPassword === undefined
        ? {}
        : { requirepass: sentinelPassword, 'sentinel sentinel-pass': sentinelPassword }),
    };
    try {
      const child = await startRedisProcess('redis-sentinel', directory, config);
      const auth = sentinelPassword === undefined ? {} : { password: sentinelPassword };
      const client = new Redis({ host: '127.0.0.1', port, protocol: 2, ...auth });
      client.on('error', () => {}); // it is killed at the end
      const stop = async () => {
        client.disconnect();
        await killRedisProcess(child);
        await rm(directory, { recursive: true, force: true });
      };
      return { address: `127.0.0.1:${certificates === undefined ? port : tlsPort}`, client, stop };
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      if (!(error instanceof PortTaken) || attempt === 5) throw error;
    }
  }
}

async function knowAll(watchers: readonly SentinelProcess[]): Promise<boolean> {
  const counts = await Promise.all(
    watchers.map(async ({ client }) => {
      const others = (await client.call('SENTINEL', 'SENTINELS', masterName)) as unknown[];
      const replicas = (await client.call('SENTINEL', 'REPLICAS', masterName)) as unknown[];
      return others.length === watchers.length - 1 && replicas.length === 1;
    }),
  );
  return counts.every(Boolean);
}

async function failover(watchers: readonly SentinelProcess[], replicaPort: number): Promise<void> {
  await waitUntil('a failover can start', async () => {
    try {
      await watchers[0]?.client.call('SENTINEL', 'FAILOVER', masterName);
      return true;
    } catch {
      return false; // the replica is not known to be good yet
    }
  });
  await waitUntil('the replica is the master', async () => {
    const masters = await Promise.all(
      watchers.map(
        ({ client }) => client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName) as Promise<string[]>,
      ),
    );
    return masters.every((address) => address[1] === String(replicaPort));
  });
}
