import { type ConfigLoader, createConfigLoader } from '../config/config-loader.ts';
import type { Clock } from '../domain/clock.ts';
import type { KeyedHash } from '../domain/keyed-hash.ts';
import { createHealth, type Health } from '../health.ts';
import { createCounterAdministration } from '../limiter/counter-administration.ts';
import { createLimiter, type Limiter } from '../limiter/limiter.ts';
import type { Logger } from '../log.ts';
import { explainUnmatched } from '../rules/explain.ts';
import type { Settings } from '../settings/settings.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createDecisionLog } from '../telemetry/decision-log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createConfigLog } from './config-log.ts';
import { createStore, type Store } from './create-store.ts';
import { type Addresses, startListeners } from './listeners.ts';
import { logReadiness } from './log-readiness.ts';
import { readKeyedHash } from './read-keyed-hash.ts';
import { createConfigSources, type NamedSource } from './sources/create-config-sources.ts';
import { runSource } from './sources/run-source.ts';
import { startTelemetry, type Telemetry } from './start-telemetry.ts';

/** What the application does not make itself. */
export interface AppContext {
  readonly clock: Clock;
  readonly log: Logger;
}

/** A running service. */
export interface App {
  /** As bound. */
  readonly addresses: Addresses;
  /** Not ready at once, then serving for the drain delay, then no more; resolves when everything has ended. */
  stop(): Promise<void>;
}

/**
 * Makes everything that `serve` needs and starts it: the composition root, wired by hand. It listens before the store
 * and the configuration are there, so that probes get their answer. Rejects when a listener cannot be opened; nothing
 * that was started is then left.
 */
export async function startApp(settings: Settings, context: AppContext): Promise<App> {
  const keyedHash = readKeyedHash(settings.config.sensitive);
  const telemetry = await startTelemetry(settings, context);
  // What goes on connecting for ever would keep the process alive.
  const started = new AsyncDisposableStack();
  started.defer(() => telemetry.stop(0));
  try {
    const { metrics } = telemetry;
    const health = createHealth(settings.health);
    logReadiness(health, context.log);
    const sources = createConfigSources(settings.config, { ...context, metrics });
    const store = createStore(settings.store, { ...context, metrics, health });
    started.defer(() => store.counters.close());
    const parts = { ...context, keyedHash, telemetry, metrics, health, sources, store };
    return await startParts(settings, { ...parts, ...createEngine(settings, parts) });
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

interface Parts extends AppContext {
  readonly keyedHash: KeyedHash | undefined;
  readonly telemetry: Telemetry;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly sources: readonly NamedSource[];
  readonly store: Store;
}

/** What decides, and what gives it rules. */
interface Engine {
  readonly loader: ConfigLoader;
  readonly limiter: Limiter;
}

function createEngine(settings: Settings, parts: Parts): Engine {
  const { clock, log, telemetry, metrics, health, sources, store, keyedHash } = parts;
  const logConfig = createConfigLog({
    log,
    clientsHaveNames: settings.grpc.tls?.clientCaFile !== undefined,
  });
  const loader = createConfigLoader({
    mergeDomains: settings.config.mergeDomains,
    keyPrefix: settings.limiter.keyPrefix,
    sensitive: { everywhere: settings.config.sensitive.everywhere, keyedHash },
    clock,
    sources: sources.map(({ name }) => name),
    onLoad(load, rules) {
      limiter.rulesChanged();
      metrics.onConfigLoad(load, rules);
      logConfig(load, rules);
      // Before each source has its rules, some domains are without limits.
      if (rules !== undefined && load.missing.length === 0)
        health.report({ kind: 'config-loaded', domains: rules.domains.size });
    },
  });
  const decisionLog = createDecisionLog({ log, clock, explain: explainUnmatched });
  const localStore = createMemoryStore({ clock, maxCounters: settings.limiter.localMaxCounters });
  const limiter = createLimiter({
    ...settings.limiter,
    rules: loader.current,
    store: telemetry.tracing?.traceStore(store.counters, settings.store.kind) ?? store.counters,
    localStore,
    clock,
    listeners: [metrics.listener, decisionLog],
  });
  metrics.read({ denyCacheEntries: limiter.denyCacheSize, isReady: health.isReady, ...store.readers });
  return { loader, limiter };
}

async function startParts(settings: Settings, parts: Parts & Engine): Promise<App> {
  const { clock, log, telemetry, health, sources, store, loader } = parts;
  const listeners = await startListeners(settings, {
    ...parts,
    rules: loader.current,
    administer: createCounterAdministration({
      rules: loader.current,
      store: store.counters,
      clock,
      bounds: settings.limiter.bounds,
      onChange: parts.limiter.counterChanged,
    }),
    tracer: telemetry.tracing,
  });
  const stopping = new AbortController();
  const running = sources.map(({ name, source }) =>
    runSource(source, { apply: loader.applyOf(name), signal: stopping.signal, log }),
  );
  const storeWait = setTimeout(() => health.report({ kind: 'store-wait-over' }), settings.health.storeWaitMs);
  void store.counters.ready.then(() => health.report({ kind: 'store-answered' }));

  return {
    addresses: listeners.addresses,
    async stop() {
      const deadline = clock.monotonic() + settings.drain.timeoutMs;
      health.report({ kind: 'stopping' });
      clearTimeout(storeWait);
      await new Promise((resolve) => setTimeout(resolve, settings.drain.delayMs));
      await listeners.stop(Math.max(0, deadline - clock.monotonic()));
      stopping.abort();
      await Promise.all([...running, store.counters.close()]);
      // Last, so that the last calls are in it.
      await telemetry.stop(Math.max(0, deadline - clock.monotonic()));
    },
  };
}
