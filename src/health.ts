/**
 * Whether this process should get requests. One answer for `/healthcheck`, `/readyz` and gRPC health (both names), so that no
 * two probes disagree; `/livez` is not among them, since a process that answers is alive.
 */

export type HealthPartName =
  | 'config' // there are rules to decide by
  | 'store' // the counters can be reached, or waiting for them any longer helps nobody
  | 'running'; // no signal to stop has come

export interface HealthOptions {
  /** `FORCE_START_WITHOUT_INITIAL_CONFIG`: being without a configuration is no reason to wait. */
  readonly startsWithoutConfig: boolean;
  /** `HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED`: the configuration in force must have a domain, now and later. */
  readonly needsDomain: boolean;
  /** `REDIS_HEALTH_CHECK_ACTIVE_CONNECTION`: a lost store shows. Without it, an outage after the start changes nothing. */
  readonly needsConnection: boolean;
}

export type HealthEvent =
  /** A good configuration is in force. An empty one is good. */
  | { readonly kind: 'config-loaded'; readonly domains: number }
  /** The store answered for the first time. */
  | { readonly kind: 'store-answered' }
  /** `STORE_WAIT` has passed since the start. */
  | { readonly kind: 'store-wait-over' }
  /** The store's connection came or went. */
  | { readonly kind: 'store-connection'; readonly isConnected: boolean }
  /** SIGTERM. There is no way back. */
  | { readonly kind: 'stopping' };

/** What has happened so far; a pure value. */
interface HealthState {
  readonly options: HealthOptions;
  /** Domains of the configuration in force; undefined before the first. */
  readonly domains: number | undefined;
  readonly isStoreAwaited: boolean;
  readonly isStoreConnected: boolean;
  readonly isStopping: boolean;
}

function initialHealth(options: HealthOptions): HealthState {
  return { options, domains: undefined, isStoreAwaited: true, isStoreConnected: false, isStopping: false };
}

function healthAfter(state: HealthState, event: HealthEvent): HealthState {
  switch (event.kind) {
    case 'config-loaded':
      return { ...state, domains: event.domains };
    case 'store-answered':
      return { ...state, isStoreAwaited: false, isStoreConnected: true };
    case 'store-wait-over':
      return { ...state, isStoreAwaited: false };
    case 'store-connection':
      return { ...state, isStoreConnected: event.isConnected };
    case 'stopping':
      return { ...state, isStopping: true };
  }
}

/** Which parts are up. */
function healthParts(state: HealthState): Readonly<Record<HealthPartName, boolean>> {
  const { options, domains } = state;
  return {
    config: options.needsDomain
      ? domains !== undefined && domains > 0
      : domains !== undefined || options.startsWithoutConfig,
    store: !state.isStoreAwaited && (state.isStoreConnected || !options.needsConnection),
    running: !state.isStopping,
  };
}

/** The present health, to be asked and to be watched. */
export interface Health {
  report(event: HealthEvent): void;
  isReady(): boolean;
  /** The parts that are down; empty when ready. */
  down(): readonly HealthPartName[];
  /** Calls the listener after each change of {@link isReady}; returns how to stop that. */
  subscribe(listener: (isReady: boolean) => void): () => void;
}

export function createHealth(options: HealthOptions): Health {
  const listeners = new Set<(isReady: boolean) => void>();
  let state = initialHealth(options);
  let down = partsDown(state);

  return {
    report(event) {
      const wasReady = down.length === 0;
      state = healthAfter(state, event);
      down = partsDown(state);
      const isReady = down.length === 0;
      if (isReady !== wasReady) for (const listener of [...listeners]) listener(isReady);
    },
    isReady: () => down.length === 0,
    down: () => down,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function partsDown(state: HealthState): readonly HealthPartName[] {
  const parts = healthParts(state);
  return (Object.keys(parts) as HealthPartName[]).filter((name) => !parts[name]);
}
