import { printRlconfig } from '../rules/rlconfig.ts';
import type { CounterAdministration } from '../server/counter-administration.ts';
import { createTokenCheck, createTokenFileCheck, type TokenCheck } from '../server/http/bearer-token.ts';
import { startDebugServer } from '../server/http/debug-server.ts';
import { httpLimits } from '../server/http/http-limits.ts';
import { startHttpServer } from '../server/http/http-server.ts';
import { createJsonCodec } from '../server/http/json-codec.ts';
import { startMetricsServer } from '../server/http/metrics-server.ts';
import type { ProtoRegistry } from '../server/proto-registry.ts';
import type { MetricsListener, Settings } from '../settings/settings.ts';
import { createCounterAudit } from '../telemetry/counter-audit.ts';
import { type ListenerParts, type Listening, tlsReloadIntervalMs } from './listener-parts.ts';

/** `/json`, `/check`, health and `/metrics`. */
export function startHttp(
  settings: Settings,
  parts: ListenerParts,
  registry: ProtoRegistry,
): Promise<Listening> {
  const { onCall, onRefusal, text } = parts.metrics;
  return startHttpServer({
    ...settings.http,
    ...sharedOptions('http', settings, parts),
    decider: parts.limiter,
    registry,
    bounds: settings.limiter.bounds,
    onRefusal,
    health: parts.health,
    metricsText: text,
    onCall,
    tracer: parts.tracer,
  });
}

/** `/rlconfig` and `/counters/`. */
export async function startDebug(
  settings: Settings,
  parts: ListenerParts,
  registry: ProtoRegistry,
): Promise<Listening> {
  const { host, port, isLoopback, tls } = settings.debug;
  const token = await createTokenCheckOf(settings.debug, parts);
  return startDebugServer({
    ...sharedOptions('debug', settings, parts),
    host,
    port,
    token,
    tls: tls && { files: tls, reloadIntervalMs: tlsReloadIntervalMs },
    onlyThisMachine: isLoopback && token === undefined && tls?.clientCaFile === undefined,
    rlconfig: () => printRlconfig(parts.rules()),
    codec: createJsonCodec({ registry, bounds: settings.limiter.bounds }),
    counters: countersOf(parts),
  });
}

function countersOf({ administer, metrics, log }: ListenerParts): CounterAdministration {
  const audit = createCounterAudit(log);
  return {
    administer,
    onChange: (change) => {
      metrics.onCounterChange(change);
      audit(change);
    },
  };
}

async function createTokenCheckOf(
  { token }: Settings['debug'],
  { clock, log }: ListenerParts,
): Promise<TokenCheck | undefined> {
  if (token?.kind === 'file') return createTokenFileCheck({ file: token.file, clock, log });
  return token && createTokenCheck(token.text.reveal());
}

/** The listener of `PROMETHEUS_ADDR`. */
export function startMetrics(
  listener: MetricsListener,
  settings: Settings,
  parts: ListenerParts,
): Promise<Listening> {
  return startMetricsServer({
    ...listener,
    ...sharedOptions('metrics', settings, parts),
    metricsText: parts.metrics.text,
  });
}

function sharedOptions(
  name: 'http' | 'debug' | 'metrics',
  { http }: Settings,
  { clock, log, metrics }: ListenerParts,
) {
  return {
    limits: { ...httpLimits, ...http.limits },
    clock,
    log: log.child({ listener: name }),
    onConnectionRefused: () => metrics.onConnectionRefused(name),
  };
}
