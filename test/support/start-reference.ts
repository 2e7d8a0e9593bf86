import { freePort } from './free-port.ts';
import { httpCall } from './http-call.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { rulesDirectory } from './start-weir.ts';
import { requireTool } from './tools.ts';
import { waitUntil } from './wait-until.ts';

/** A process of `envoyproxy/ratelimit`. */
export interface RunningReference extends TestProcess {
  /** `host:port` of its gRPC listener. */
  readonly grpc: string;
}

export interface ReferenceOptions {
  /** `host:port` of its Redis, which it can't be without. */
  readonly redis: string;
  /** The folder with its rules. */
  readonly rules: string;
}

/** Starts the reference and waits until it may be asked. */
export async function startReference({ redis, rules }: ReferenceOptions): Promise<RunningReference> {
  const [grpc, http, debug] = [await freePort(), await freePort(), await freePort()];
  const child = await startProcess(requireTool('reference'), [], {
    env: {
      HOST: '127.0.0.1',
      PORT: String(http),
      GRPC_HOST: '127.0.0.1',
      GRPC_PORT: String(grpc),
      DEBUG_HOST: '127.0.0.1',
      DEBUG_PORT: String(debug),
      USE_STATSD: 'false',
      REDIS_SOCKET_TYPE: 'tcp',
      REDIS_URL: redis,
      RUNTIME_WATCH_ROOT: 'false',
      ...rulesDirectory(rules),
    },
  });
  try {
    await waitUntil('the reference to be ready', async () => {
      if (child.exit !== undefined) throw new Error('it ended');
      return httpCall({ address: `127.0.0.1:${http}`, path: '/healthcheck' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    });
  } catch (error) {
    await child.stop();
    throw new Error(`the reference did not start:\n${child.lines.join('\n')}`, { cause: error });
  }
  return Object.assign(Object.create(child) as TestProcess, { grpc: `127.0.0.1:${grpc}` });
}
