import { Cluster, Redis } from 'ioredis';
import { credentials, renewSecrets, serverTls, tlsOptions } from './connect-secrets.ts';
import type { RedisConnection, RedisTopology } from './redis-connection.ts';

/** Longest pause between attempts to connect, so that a Redis that is back is used within two seconds. */
const maxPauseMs = 1_000;

/**
 * A connection that was closed alone is there again at once; then the pause doubles from 50 ms. Replicas that lost their
 * Redis together come back spread over it.
 */
function reconnectPause(attempt: number): number {
  const pause = attempt === 1 ? 5 : Math.min(50 * 2 ** Math.min(attempt - 2, 10), maxPauseMs);
  return Math.round(pause * (0.75 + Math.random() / 2));
}

type ClusterTopology = Extract<RedisTopology, { kind: 'cluster' }>;
type SingleTopology = Exclude<RedisTopology, { kind: 'cluster' }>;

/** A client that connects at once, and again whenever it must. */
export function connectSingle(
  connection: RedisConnection,
  topology: SingleTopology,
  answerTimeoutMs: number,
): Redis {
  const client = createSingle(connection, topology, answerTimeoutMs);
  renewSecrets(client, connection);
  return client;
}

function createSingle(connection: RedisConnection, topology: SingleTopology, answerTimeoutMs: number): Redis {
  const common = {
    ...commonOptions(connection, answerTimeoutMs),
    db: connection.db,
    retryStrategy: reconnectPause,
  };
  if (topology.kind === 'standalone') {
    const { address } = topology;
    if (address.kind === 'unix') return new Redis({ ...common, path: address.path });
    return new Redis({ ...common, host: address.host, port: address.port });
  }
  const { sentinelAuth, tls } = connection;
  return new Redis({
    ...common,
    name: topology.masterName,
    sentinels: topology.sentinels.map(({ host, port }) => ({ host, port })),
    sentinelRetryStrategy: reconnectPause,
    // After a failover that was asked for, the old master takes hits, and loses them, until it is told: up to 10 s.
    failoverDetector: true,
    sentinelCommandTimeout: connection.connectTimeoutMs,
    ...(sentinelAuth?.username === undefined ? {} : { sentinelUsername: sentinelAuth.username }),
    ...(sentinelAuth === undefined ? {} : { sentinelPassword: sentinelAuth.password }),
    ...(tls === undefined ? {} : { sentinelTLS: tlsOptions(tls), enableTLSForSentinelMode: true }),
  });
}

/**
 * A client that knows a cluster's slots. Its nodes do not reconnect by themselves: one that is lost leaves the pool, and
 * comes back with the next look at the slots, at its address of then. With none left, the seeds' names are resolved anew.
 */
export function connectCluster(
  connection: RedisConnection,
  topology: ClusterTopology,
  answerTimeoutMs: number,
): Cluster {
  const cluster = new Cluster(
    topology.seeds.map(({ host, port }) => ({ host, port })),
    {
      redisOptions: commonOptions(connection, answerTimeoutMs),
      clusterRetryStrategy: reconnectPause,
      clusterNodeRetryStrategy: null,
      // Nothing is sent twice, and nothing waits for a connection: see `commonOptions`.
      enableOfflineQueue: false,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      retryDelayOnTryAgain: 0,
      // Redirects prove that nothing was executed; more of them than this is a cluster that does not know itself.
      maxRedirections: 5,
      // Its check would ask a node before it is connected; hits find out the same.
      enableReadyCheck: false,
      slotsRefreshTimeout: Math.min(connection.connectTimeoutMs, 5_000),
    },
  );
  cluster.on('+node', (node: Redis) => {
    // The pool switches it on regardless of the options.
    node.options.enableOfflineQueue = false;
    renewSecrets(node, connection);
  });
  return cluster;
}

/**
 * A connection that broke says nothing of whether a call was executed. So a call is sent once, on a connection that is
 * ready, or not at all; ioredis would by default send what had no answer again, and queue what it can't send yet.
 */
function commonOptions(connection: RedisConnection, answerTimeoutMs: number) {
  const { auth, tls } = connection;
  return {
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    protocol: 2 as const,
    connectionName: 'weir',
    disableClientInfo: true,
    connectTimeout: connection.connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    ...(auth === undefined ? {} : credentials(auth)),
    ...(tls === undefined ? {} : { tls: serverTls(tls, connection.topology) }),
  };
}
