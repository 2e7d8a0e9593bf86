import { createHash, createHmac } from 'node:crypto';
import { expect } from 'vitest';
import type { Descriptor } from '../../src/domain/descriptor.ts';
import { createKeyedHash } from '../../src/domain/keyed-hash.ts';
import { createLogger } from '../../src/log.ts';
import { explainUnmatched } from '../../src/rules/explain.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { createDecisionLog } from '../../src/telemetry/decision-log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { fakeClock } from './fake-clock.ts';
import { type FixtureOptions, limiterFixture } from './limiter-fixture.ts';

/** What sensitive values are hashed with. */
export const secret = 'a secret that replicas share';
const keyedHash = createKeyedHash(Buffer.from(secret));

/** What stands for a sensitive value. */
export function hashOf(value: string): string {
  return `#~${createHmac('sha256', secret).update(value).digest('base64url')}`;
}

type Options = Pick<FixtureOptions, 'yaml' | 'domain' | 'dynamicMetadata'> & {
  readonly everywhere?: boolean;
};

/** A limiter with all that writes of requests: the store's keys, the log at its finest, and the page of metrics. */
export function startWatched({ everywhere = false, ...options }: Options) {
  const clock = fakeClock();
  const keys: string[] = [];
  const lines: string[] = [];
  const memory = createMemoryStore({ clock, maxCounters: 1_000 });
  const metrics = createMetrics({ withProcess: false });
  const log = createLogger({
    level: 'trace',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
  });
  const limiter = limiterFixture({
    ...options,
    clock,
    sensitive: { everywhere, keyedHash },
    store: {
      ...memory,
      hit: (hits, deadline) => {
        for (const { key } of hits) keys.push(key);
        return memory.hit(hits, deadline);
      },
    },
    listeners: [metrics.listener, createDecisionLog({ log, clock, explain: explainUnmatched })],
  });
  const { decide } = limiter;
  return {
    keys,
    /** Decides one descriptor after the other; a second passes each time, so that no line is left out. */
    async ask(...descriptors: (string | Descriptor)[]): Promise<string> {
      const codes: string[] = [];
      for (const one of descriptors) {
        codes.push((await decide(one)).overallCode);
        clock.advance(1_000);
      }
      return codes.join(' ');
    },
    decide,
    descriptors: () => lines.map((line) => JSON.parse(line).descriptor),
    lines,
    page: async () => (await metrics.text()).body,
    /** Everything that anybody could read. */
    seen: async () => [...keys, ...lines, (await metrics.text()).body].join('\n'),
  };
}

/** Every form in which a value could be written, its plain hash included, which anybody can make. */
function formsOf(value: string): string[] {
  const plainHash = (encoding: 'hex' | 'base64url') => createHash('sha256').update(value).digest(encoding);
  const forms = [value, value.replaceAll('.', '_'), encodeURIComponent(value), plainHash('hex')];
  return [...forms, plainHash('base64url'), value.slice(0, 100)];
}

/** Fails when a value can be read anywhere, or made out by whoever tries values. */
export async function expectUnseen(watched: { seen(): Promise<string> }, ...values: string[]): Promise<void> {
  const seen = await watched.seen();
  for (const form of values.flatMap(formsOf)) expect(seen).not.toContain(form);
}
