import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from './free-port.ts';
import { type Certificates, makeCertificates } from './redis-certificates.ts';
import { killRedisProcess, PortTaken, type RedisConfig, startRedisProcess } from './redis-process.ts';

export interface RedisServerOptions {
  /** Serve TLS too, on `tlsAddress`, with certificates of its own or these. */
  readonly tls?: boolean | Certificates;
  /** Added to the configuration file; a list becomes several lines. */
  readonly config?: RedisConfig;
  /** Password of the `default` user, for the test's own client. */
  readonly password?: string;
}

/** A real Redis of the test's own, on the loopback address, without persistence. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly address: string;
  readonly socketPath: string;
  /** 0 without TLS. */
  readonly tlsPort: number;
  /** `127.0.0.1:port` of the TLS port; empty without TLS. */
  readonly tlsAddress: string;
  readonly certificates: Certificates | undefined;
  readonly pid: number;
  /** A client of the test's own to look at and change what is stored; it belongs to the server. */
  readonly client: Redis;
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same ports. */
  restart(): Promise<void>;
  /** Ends everything and removes the files. */
  stop(): Promise<void>;
}

/** Throws `ToolMissing` where redis-server is not installed. Use as `await using redis = await startRedis()`. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnFreePorts(options);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === 5) throw error;
    }
  }
}

async function startOnFreePorts(options: RedisServerOptions): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-redis-'));
  const [port = 0, tlsPort = 0] = await freePorts(2);
  const certificates = options.tls === true ? makeCertificates(directory) : options.tls || undefined;
  const socketPath = join(directory, 'redis.sock');
  const config: RedisConfig = {
    bind: '127.0.0.1',
    port: String(port),
    unixsocket: socketPath,
    dir: directory,
    save: '',
    appendonly: 'no',
    'repl-diskless-sync-delay': '0',
    ...(certificates === undefined ? {} : tlsConfig(certificates, tlsPort)),
    ...(options.password === undefined ? {} : { requirepass: options.password }),
    ...options.config,
  };
  let child: ChildProcess;
  try {
    child = await startRedisProcess('redis-server', directory, config);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  const client = new Redis({ host: '127.0.0.1', port, protocol: 2, ...optionalPassword(options.password) });
  client.on('error', () => {}); // the test kills the server on purpose
  const stop = async () => {
    client.disconnect();
    await killRedisProcess(child);
    await rm(directory, { recursive: true, force: true });
  };
  return {
    port,
    address: `127.0.0.1:${port}`,
    socketPath,
    tlsPort: certificates === undefined ? 0 : tlsPort,
    tlsAddress: certificates === undefined ? '' : `127.0.0.1:${tlsPort}`,
    certificates,
    get pid() {
      return child.pid ?? 0;
    },
    client,
    kill: () => killRedisProcess(child),
    restart: async () => {
      await killRedisProcess(child);
      child = await startRedisProcess('redis-server', directory, config);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function optionalPassword(password: string | undefined): { password?: string } {
  return password === undefined ? {} : { password };
}

/** What `redis-server` and `redis-sentinel` need to serve TLS on a port. */
export function tlsConfig(certificates: Certificates, port: number): RedisConfig {
  return {
    'tls-port': String(port),
    'tls-cert-file': certificates.serverCertFile,
    'tls-key-file': certificates.serverKeyFile,
    'tls-ca-cert-file': certificates.caFile,
    'tls-auth-clients': 'optional',
  };
}
