import type { Clock } from '../domain/clock.ts';
import type { Health } from '../health.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Logger } from '../log.ts';
import { printRlconfig } from '../rules/rlconfig.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { startGrpcServer } from '../server/grpc/grpc-server.ts';
import { createHealthService } from '../server/grpc/health-service.ts';
import { createReflectionService } from '../server/grpc/reflection-service.ts';
import { createRlsService } from '../server/grpc/rls-service.ts';
import { startDebugServer } from '../server/http/debug-server.ts';
import { startHttpServer } from '../server/http/http-server.ts';
import { startMetricsServer } from '../server/http/metrics-server.ts';
import { loadProtoRegistry, type ProtoRegistry } from '../server/proto-registry.ts';
import type { Settings } from '../settings/settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type ListenerName, listenerFailure } from './listener-failure.ts';

export interface ListenerParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly limiter: Limiter;
  readonly rules: () => RuleSet | undefined;
}

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

/** What a listener is, once it is open. */
interface Listening {
  readonly address: string;
  stop(deadlineMs: number): Promise<unknown>;
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
      debug: await open('debug', startDebug(settings, parts)),
      metrics: await openMetrics(settings, parts, open),
    };
    return { addresses, stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

function listenerNames({ grpc }: Settings): Readonly<Record<keyof Addresses, ListenerName>> {
  const tlsFiles = ['GRPC_SERVER_TLS_CERT', 'GRPC_SERVER_TLS_KEY', 'GRPC_CLIENT_TLS_CACERT'];
  return {
    grpc: {
      name: 'gRPC',
      variables: grpc.listen.kind === 'unix' ? ['GRPC_UDS'] : ['GRPC_HOST', 'GRPC_PORT'],
      files: grpc.tls === undefined ? [] : tlsFiles,
    },
    http: { name: 'HTTP', variables: ['HOST', 'PORT'], files: [] },
    debug: { name: 'debug', variables: ['DEBUG_HOST', 'DEBUG_PORT'], files: [] },
    metrics: { name: 'metrics', variables: ['PROMETHEUS_ADDR'], files: [] },
  };
}

function startGrpc(
  { grpc, limiter: { bounds } }: Settings,
  { clock, log, metrics, health, limiter }: ListenerParts,
  registry: ProtoRegistry,
): Promise<Listening> {
  return startGrpcServer({
    ...grpc,
    address: grpc.listen,
    methods: [
      ...createRlsService({ decider: limiter, bounds, onRefusal: metrics.onRefusal }),
      ...createHealthService(health),
      ...createReflectionService(registry),
    ],
    tlsReloadIntervalMs: tlsReloadMs,
    clock,
    log,
    onCall: metrics.onCall,
    onTransportEvent: metrics.onTransportEvent,
  });
}

/** Certificates are renewed long before they end; half a minute is soon enough. */
const tlsReloadMs = 30_000;

function startHttp(
  { http, limiter: { bounds } }: Settings,
  { clock, log, metrics, health, limiter }: ListenerParts,
  registry: ProtoRegistry,
): Promise<Listening> {
  const { onCall, onRefusal, text } = metrics;
  return startHttpServer({
    ...http,
    decider: limiter,
    registry,
    bounds,
    onRefusal,
    health,
    metricsText: text,
    onCall,
    clock,
    log,
  });
}

function startDebug({ debug, http }: Settings, { clock, log, rules }: ListenerParts): Promise<Listening> {
  const rlconfig = () => printRlconfig(rules());
  return startDebugServer({ ...debug, maxBodyBytes: http.maxBodyBytes, rlconfig, clock, log });
}

async function openMetrics(
  { metrics, http }: Settings,
  { clock, log, metrics: { text } }: ListenerParts,
  open: (name: 'metrics', starting: Promise<Listening>) => Promise<string>,
): Promise<string | undefined> {
  const { listener } = metrics;
  if (listener === undefined) return undefined;
  const { maxBodyBytes } = http;
  return open('metrics', startMetricsServer({ ...listener, maxBodyBytes, metricsText: text, clock, log }));
}
