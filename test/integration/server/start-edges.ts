import { onTestFinished } from 'vitest';
import type { Caller } from '../../../src/domain/caller.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { Answer, Decision, FailureCode } from '../../../src/domain/decision.ts';
import type { RateLimitRequest } from '../../../src/domain/descriptor.ts';
import { createHealth, type Health } from '../../../src/health.ts';
import { createLogger } from '../../../src/log.ts';
import type { CallEvent } from '../../../src/server/call-listener.ts';
import type { Decider } from '../../../src/server/decider.ts';
import type { AnyGrpcMethod } from '../../../src/server/grpc/grpc-method.ts';
import {
  type GrpcServer,
  type GrpcServerOptions,
  startGrpcServer,
} from '../../../src/server/grpc/grpc-server.ts';
import { createHealthService } from '../../../src/server/grpc/health-service.ts';
import { createReflectionService } from '../../../src/server/grpc/reflection-service.ts';
import { createRlsService } from '../../../src/server/grpc/rls-service.ts';
import { type HttpLimits, httpLimits } from '../../../src/server/http/http-limits.ts';
import type { HttpListener, HttpListenerOptions } from '../../../src/server/http/http-listener.ts';
import { startHttpServer } from '../../../src/server/http/http-server.ts';
import { loadProtoRegistry } from '../../../src/server/proto-registry.ts';
import type { TransportEvent } from '../../../src/transport/transport-event.ts';
import { testedTransport, transportLimits } from '../../support/transport-limits.ts';

type Decide = Decider['decide'];

const registry = loadProtoRegistry();

/** What an edge was told, and what it told. */
export interface Edge {
  /** Where it listens. */
  readonly address: string;
  readonly health: Health;
  /** Requests that reached the limiter, with their deadlines and the names of their callers. */
  readonly requests: {
    readonly request: RateLimitRequest;
    readonly deadline: number | undefined;
    readonly provenNames: readonly string[];
  }[];
  readonly calls: CallEvent[];
  readonly refusals: FailureCode[];
  readonly transportEvents: TransportEvent[];
  /** Connections that an HTTP listener closed at once. */
  readonly refusedConnections: () => number;
  /** Lines of the log. */
  readonly lines: Record<string, unknown>[];
}

export interface GrpcEdge extends Edge {
  readonly server: GrpcServer;
}

export interface HttpEdge extends Edge {
  readonly listener: HttpListener;
}

/** An answer that allows, with a status for each descriptor. */
export function allow(request: RateLimitRequest, parts: Partial<Decision> = {}): Decision {
  return {
    kind: 'decision',
    overallCode: 'OK',
    statuses: request.descriptors.map(() => ({
      code: 'OK',
      currentLimit: { requestsPerUnit: 5, windowSeconds: 60, unit: 'MINUTE', name: 'five' },
      limitRemaining: 4,
      secondsUntilReset: 37,
    })),
    described: undefined,
    responseHeaders: [],
    furtherHeaders: [],
    dynamicMetadata: undefined,
    denialBody: undefined,
    ...parts,
  };
}

/** A limiter that never answers. */
export const neverAnswers: Decide = () => new Promise<Answer>(() => {});

/** A gRPC edge on a free port of the loopback address, until the test ends. */
export async function startGrpcEdge(
  decide: Decide = async (request) => allow(request),
  options: Partial<GrpcServerOptions> = {},
): Promise<GrpcEdge> {
  const parts = createParts(decide);
  const methods: AnyGrpcMethod[] = [
    ...createRlsService(parts),
    ...createHealthService(parts.health),
    ...createReflectionService(registry),
  ];
  const server = await startGrpcServer({
    methods,
    address: { kind: 'tcp', host: '127.0.0.1', port: 0 },
    tls: undefined,
    tlsReloadIntervalMs: 30_000,
    transport: testedTransport,
    limits: transportLimits(),
    maxConnectionAgeMs: 0,
    maxConnectionAgeGraceMs: 0,
    ...parts,
    ...options,
  });
  onTestFinished(async () => {
    await server.stop(0);
  });
  return { ...parts, server, address: server.address };
}

/** The main HTTP edge on a free port of the loopback address, until the test ends. */
export async function startHttpEdge(
  decide: Decide = async (request) => allow(request),
  options: {
    readonly limits?: Partial<HttpLimits>;
    readonly metrics?: () => Promise<string>;
    readonly host?: string;
  } = {},
): Promise<HttpEdge> {
  const parts = createParts(decide);
  const { limits, metrics = async () => 'up 1\n', host = '127.0.0.1' } = options;
  const listener = await startHttpServer({
    ...httpOptions(parts, limits),
    host,
    registry,
    limitHeaders: { limit: 'RateLimit-Limit', remaining: 'RateLimit-Remaining', reset: 'RateLimit-Reset' },
    metricsText: async () => ({ contentType: 'text/plain; version=0.0.4', body: await metrics() }),
    ...parts,
  });
  onTestFinished(() => listener.stop(0));
  return { ...parts, listener, address: listener.address };
}

/** What every HTTP listener takes, on a free port of the loopback address. */
export function httpOptions(
  parts: Pick<HttpListenerOptions, 'clock' | 'log' | 'onConnectionRefused'>,
  limits: Partial<HttpLimits> = {},
): HttpListenerOptions {
  const { clock, log, onConnectionRefused } = parts;
  return {
    host: '127.0.0.1',
    port: 0,
    limits: { ...httpLimits, maxConnections: 1_024, maxBodyBytes: 4 * 1024 * 1024, ...limits },
    clock,
    log,
    onConnectionRefused,
  };
}

export function createParts(decide: Decide) {
  const transportEvents: TransportEvent[] = [];
  const lines: Record<string, unknown>[] = [];
  const requests: Edge['requests'] = [];
  const calls: CallEvent[] = [];
  const refusals: FailureCode[] = [];
  let refusedConnections = 0;
  return {
    onConnectionRefused: () => {
      refusedConnections += 1;
    },
    refusedConnections: () => refusedConnections,
    transportEvents,
    onTransportEvent: (event: TransportEvent) => transportEvents.push(event),
    clock: systemClock,
    bounds: { maxDescriptors: 1_024, maxEntries: 256 },
    health: createHealth({ startsWithoutConfig: false, needsDomain: false, needsConnection: false }),
    log: createLogger({
      level: 'trace',
      format: 'json',
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    }),
    decider: {
      decide(request: RateLimitRequest, deadline: number | undefined, caller: Caller) {
        requests.push({ request, deadline, provenNames: caller.provenNames });
        return decide(request, deadline, caller);
      },
    },
    onCall: (call: CallEvent) => calls.push(call),
    onRefusal: (code: FailureCode) => refusals.push(code),
    requests,
    calls,
    refusals,
    lines,
  };
}
