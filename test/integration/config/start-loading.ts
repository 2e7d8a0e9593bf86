import { expect, onTestFinished, vi } from 'vitest';
import { type ConfigLoad, createConfigLoader } from '../../../src/config/config-loader.ts';
import {
  createFileSource,
  type FileSourceEvent,
  type FileSourceOptions,
} from '../../../src/config/file-source.ts';
import { systemClock } from '../../../src/domain/clock.ts';

/** A file source and a loader at work, as the service runs them. */
export interface Loading {
  readonly loads: readonly ConfigLoad[];
  readonly events: readonly FileSourceEvent[];
  /** The limits in force, as `domain.key: limit`, sorted. */
  limits(): string[];
  /** Waits until these are the limits in force. */
  untilLimits(...limits: readonly string[]): Promise<void>;
  /** Waits for the load of this number, from 1. */
  load(number: number): Promise<ConfigLoad>;
  stop(): Promise<void>;
}

export interface LoadingOptions extends Partial<FileSourceOptions> {
  readonly mergeDomains?: boolean;
}

const deadline = { timeout: 10_000, interval: 10 };

/** Polls rarely unless a test asks for it, so that what a test sees was heard and not found by polling. */
export function startLoading(directory: string, options: LoadingOptions = {}): Loading {
  const loads: ConfigLoad[] = [];
  const events: FileSourceEvent[] = [];
  const loader = createConfigLoader({
    mergeDomains: options.mergeDomains ?? false,
    keyPrefix: '',
    clock: systemClock,
    onLoad: (load) => loads.push(load),
  });
  const source = createFileSource({
    directory,
    ignoreDotFiles: true,
    pollIntervalMs: 3_600_000,
    debounceMs: 50,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const stopping = new AbortController();
  const running = source.run(loader.apply, stopping.signal);

  async function stop(): Promise<void> {
    stopping.abort();
    await running;
  }
  onTestFinished(stop);

  function limits(): string[] {
    const rules = loader.current()?.rules ?? [];
    return rules
      .map(({ path, limits: [first] }) => `${path}: ${first?.limit.requestsPerUnit ?? 'unlimited'}`)
      .sort();
  }

  return {
    loads,
    events,
    limits,
    untilLimits: (...expected) => vi.waitFor(() => expect(limits()).toEqual(expected), deadline),
    load: (number) => vi.waitUntil(() => loads[number - 1], deadline),
    stop,
  };
}

/** A file with one domain and one limit in each minute. */
export function rulesText(domain: string, limit: number, key = 'ip'): string {
  return `domain: ${domain}\ndescriptors:\n  - key: ${key}\n    rate_limit: {unit: minute, requests_per_unit: ${limit}}\n`;
}
