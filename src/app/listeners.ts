import { startGrpcServer } from '../server/grpc/grpc-server.ts';
import { createHealthService } from '../server/grpc/health-service.ts';
import { createReflectionService } from '../server/grpc/reflection-service.ts';
import { createRlsService } from '../server/grpc/rls-service.ts';
import { loadProtoRegistry, type ProtoRegistry } from '../server/proto-registry.ts';
import type { Settings } from '../settings/settings.ts';
import { startDebug, startHttp, startMetrics } from './http-listeners.ts';
import { type ListenerName, listenerFailure } from './listener-failure.ts';
import { type ListenerParts, type Listening, tlsReloadIntervalMs } from './listener-parts.ts';

/** Where each listener is, as bound. */
export interface Addresses {
  readonly grpc: string;
  readonly http: string;
  readonly debug: string;
  /** undefined unless metrics have a listener of their own. */
  readonly metrics: string | undefined;
}

export interface Listeners {
  readonly addresses: Addresses;
  /** gRPC first: its calls may still end while probes and scrapes are answered. */
  stop(deadlineMs: number): Promise<void>;
}

/** How long requests to the HTTP listeners may take to end. */
const httpStopMs = 1_000;

/** Opens all listeners. When one fails the others are closed again, and it rejects with a sentence. */
export async function startListeners(settings: Settings, parts: ListenerParts): Promise<Listeners> {
  const opened: Listening[] = [];
  const names = listenerNames(settings);
  const registry = loadProtoRegistry();
  const open = async (name: keyof Addresses, starting: Promise<Listening>): Promise<string> => {
    const listening = await starting.catch((error) => {
      throw listenerFailure(names[name], error);
    });
    opened.push(listening);
    parts.log.info({ listener: name, address: listening.address }, 'listening');
    return listening.address;
  };
  const stop = async (deadlineMs: number) => {
    const [grpc, ...others] = opened;
    await grpc?.stop(deadlineMs);
    await Promise.all(others.map((listening) => listening.stop(httpStopMs)));
  };
  try {
    const addresses = {
      grpc: await open('grpc', startGrpc(settings, parts, registry)),
      http: await open('http', startHttp(settings, parts, registry)),
      debug: await open('debug', startDebug(settings, parts, registry)),
      metrics: await openMetrics(settings, parts, open),
    };
    return { addresses, stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

function listenerNames({ grpc, debug }: Settings): Readonly<Record<keyof Addresses, ListenerName>> {
  const tlsFiles = ['GRPC_SERVER_TLS_CERT', 'GRPC_SERVER_TLS_KEY', 'GRPC_CLIENT_TLS_CACERT'];
  return {
    grpc: {
      name: 'gRPC',
      variables: grpc.listen.kind === 'unix' ? ['GRPC_UDS'] : ['GRPC_HOST', 'GRPC_PORT'],
      files: grpc.tls === undefined ? [] : tlsFiles,
    },
    http: { name: 'HTTP', variables: ['HOST', 'PORT'], files: [] },
    debug: { name: 'debug', variables: ['DEBUG_HOST', 'DEBUG_PORT'], files: debugFiles(debug) },
    metrics: { name: 'metrics', variables: ['PROMETHEUS_ADDR'], files: [] },
  };
}

function debugFiles({ token, tls }: Settings['debug']): string[] {
  const tlsFiles = ['DEBUG_TLS_CERT', 'DEBUG_TLS_KEY', 'DEBUG_TLS_CLIENT_CACERT'];
  return [...(tls === undefined ? [] : tlsFiles), ...(token?.kind === 'file' ? ['DEBUG_TOKEN_FILE'] : [])];
}

function startGrpc(
  { grpc, limiter: { bounds } }: Settings,
  { clock, log, metrics, health, limiter, tracer }: ListenerParts,
  registry: ProtoRegistry,
): Promise<Listening> {
  return startGrpcServer({
    ...grpc,
    address: grpc.listen,
    methods: [
      ...createRlsService({ decider: limiter, bounds, onRefusal: metrics.onRefusal, tracer }),
      ...createHealthService(health),
      ...createReflectionService(registry),
    ],
    tlsReloadIntervalMs,
    clock,
    log,
    onCall: metrics.onCall,
    onTransportEvent: metrics.onTransportEvent,
    keptFields: tracer?.fields,
  });
}

async function openMetrics(
  settings: Settings,
  parts: ListenerParts,
  open: (name: 'metrics', starting: Promise<Listening>) => Promise<string>,
): Promise<string | undefined> {
  const { listener } = settings.metrics;
  return listener && open('metrics', startMetrics(listener, settings, parts));
}
