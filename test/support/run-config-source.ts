import { onTestFinished } from 'vitest';
import { type ConfigLoad, createConfigLoader } from '../../src/config/config-loader.ts';
import type { ConfigSource } from '../../src/config/config-source.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { waitUntil } from './wait-until.ts';

/** A source and a loader at work, as the service runs them. */
export interface RunningSource {
  readonly loads: readonly ConfigLoad[];
  /** The limits in force, as `domain.key: limit`, sorted; undefined before any. */
  limits(): readonly string[] | undefined;
  /** Waits until these are the limits in force. */
  untilLimits(...limits: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a source to the end of the test. */
export function runConfigSource(source: ConfigSource): RunningSource {
  const loads: ConfigLoad[] = [];
  const loader = createConfigLoader({
    mergeDomains: false,
    keyPrefix: '',
    clock: systemClock,
    onLoad: (load) => loads.push(load),
  });
  const stopping = new AbortController();
  const running = source.run(loader.apply, stopping.signal);

  async function stop(): Promise<void> {
    stopping.abort();
    await running;
  }
  onTestFinished(stop);

  const limits = () =>
    loader
      .current()
      ?.rules.map(({ path, limits: [first] }) => `${path}: ${first?.limit.requestsPerUnit ?? 'unlimited'}`)
      .sort();
  return {
    loads,
    limits,
    untilLimits: async (...expected) => {
      await waitUntil(`the limits ${expected}`, () => String(limits()) === String(expected));
    },
    stop,
  };
}
