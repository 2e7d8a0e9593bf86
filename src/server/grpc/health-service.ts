import {
  HealthCheckRequest,
  HealthCheckResponse,
  HealthCheckResponse_ServingStatus as Status,
} from '../../gen/grpc/health/v1/health.ts';
import type { Health } from '../../health.ts';
import { grpcStatus } from '../../transport/grpc-status.ts';
import type { GrpcCall } from '../../transport/handler.ts';
import { generatedCodec } from './generated-codec.ts';
import type { StreamMethod, UnaryMethod } from './grpc-method.ts';

/**
 * The names that can be asked for: the server as a whole, which is what a Kubernetes `grpc:` probe without a name asks for,
 * and the reference's own name. Both tell the same.
 */
const services: ReadonlySet<string> = new Set(['', 'ratelimit']);

type Check = UnaryMethod<HealthCheckRequest, HealthCheckResponse>;
type Watch = StreamMethod<HealthCheckRequest, HealthCheckResponse>;

/** `grpc.health.v1.Health`: the gRPC health checking protocol. */
export function createHealthService(health: Health): readonly [Check, Watch] {
  const codec = generatedCodec(HealthCheckRequest, HealthCheckResponse);
  const present = () => (health.isReady() ? Status.SERVING : Status.NOT_SERVING);

  return [
    {
      ...codec,
      path: '/grpc.health.v1.Health/Check',
      requestStream: false,
      responseStream: false,
      async handle({ service }) {
        return services.has(service) ? { status: present() } : grpcStatus('NOT_FOUND', 'unknown service');
      },
    },
    {
      ...codec,
      path: '/grpc.health.v1.Health/Watch',
      requestStream: false,
      responseStream: true,
      async *handle(requests, call) {
        for await (const { service } of requests) {
          // The protocol keeps the call open for an unknown name too: it could become known.
          yield* watch(health, call, () => (services.has(service) ? present() : Status.SERVICE_UNKNOWN));
        }
      },
    },
  ];
}

/** The present status, and each new one, until the call ends. */
async function* watch(
  health: Health,
  call: GrpcCall,
  present: () => Status,
): AsyncGenerator<HealthCheckResponse> {
  let told: Status | undefined;
  while (!call.signal.aborted) {
    // Listens before it looks, so that no change falls between the two.
    const changed = nextChange(health, call.signal);
    const status = present();
    if (status !== told) yield { status };
    told = status;
    await changed;
  }
}

function nextChange(health: Health, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const unsubscribe = health.subscribe(done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
