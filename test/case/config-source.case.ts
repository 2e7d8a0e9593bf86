import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApplyResult, ConfigSource, Snapshot } from '../../src/config/config-source.ts';

/** What a source of configuration reads from, in the hands of the test. */
export interface Origin {
  readonly source: ConfigSource;
  /** Makes these the domains, each with one limit on the key `ip`; undefined makes a domain that can't be read. */
  set(domains: Readonly<Record<string, number | undefined>>): Promise<void>;
}

export type CreateOrigin = (domains: Readonly<Record<string, number | undefined>>) => Promise<Origin>;

/** The contract of {@link ConfigSource}: every source runs it. */
export function describeConfigSource(name: string, createOrigin: CreateOrigin): void {
  describe(`${name} is a source of configuration that`, () => {
    it('delivers the present state first', async () => {
      const { source } = await createOrigin({ shop: 1, blog: 2 });
      const receiver = run(source);
      expect(limitsOf(await receiver.delivery(1))).toEqual({ shop: 1, blog: 2 });
    });

    it('delivers a state without domains', async () => {
      const { source } = await createOrigin({});
      expect(await run(source).delivery(1)).toMatchObject({ documents: [], issues: [] });
    });

    it('delivers each later state, complete', async () => {
      const origin = await createOrigin({ shop: 1, blog: 2 });
      const receiver = run(origin.source);
      await receiver.delivery(1);
      await origin.set({ shop: 1, blog: 3, wiki: 4 });
      expect(limitsOf(await receiver.delivery(2))).toEqual({ shop: 1, blog: 3, wiki: 4 });
      await origin.set({ wiki: 4 });
      expect(limitsOf(await receiver.delivery(3))).toEqual({ wiki: 4 });
    });

    it('does not deliver an equal state again', async () => {
      const origin = await createOrigin({ shop: 1 });
      const receiver = run(origin.source);
      await receiver.delivery(1);
      await origin.set({ shop: 1 });
      await origin.set({ shop: 2 });
      expect(limitsOf(await receiver.delivery(2))).toEqual({ shop: 2 });
    });

    it('gives different states different versions', async () => {
      const origin = await createOrigin({ shop: 1 });
      const receiver = run(origin.source);
      const first = await receiver.delivery(1);
      await origin.set({ shop: 2 });
      expect((await receiver.delivery(2)).version).not.toBe(first.version);
    });

    it('names what it can not read, and delivers the rest', async () => {
      const origin = await createOrigin({ shop: 1 });
      const receiver = run(origin.source);
      const first = await receiver.delivery(1);
      await origin.set({ shop: undefined, blog: 2 });
      const second = await receiver.delivery(2);
      expect(limitsOf(second)).toEqual({ blog: 2 });
      const errors = second.issues.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ file }) => file)).toEqual([first.documents[0]?.file]);
    });

    it('waits for the answer to a state before it delivers the next', async () => {
      const origin = await createOrigin({ shop: 1 });
      const answer = Promise.withResolvers<'applied'>();
      const receiver = run(origin.source, () => answer.promise);
      await receiver.delivery(1);
      await origin.set({ shop: 2 });
      await origin.set({ shop: 3 });
      expect(receiver.deliveries).toHaveLength(1);
      answer.resolve('applied');
      expect(limitsOf(await receiver.delivery(2))).toEqual({ shop: 3 });
    });

    it('goes on after a state that was rejected', async () => {
      const origin = await createOrigin({ shop: 1 });
      const receiver = run(origin.source, async () => 'rejected');
      await receiver.delivery(1);
      await origin.set({ shop: 2 });
      await receiver.delivery(2);
      await origin.set({ shop: 1 });
      expect(limitsOf(await receiver.delivery(3))).toEqual({ shop: 1 });
    });

    it('ends at the signal, and delivers nothing then', async () => {
      const origin = await createOrigin({ shop: 1 });
      const receiver = run(origin.source);
      await receiver.delivery(1);
      await receiver.stop();
      await origin.set({ shop: 2 });
      expect(receiver.deliveries).toHaveLength(1);
    });

    it('delivers nothing when the signal came first', async () => {
      const { source } = await createOrigin({ shop: 1 });
      const deliveries: Snapshot[] = [];
      await source.run(async (snapshot) => {
        deliveries.push(snapshot);
        return { kind: 'unchanged', version: snapshot.version };
      }, AbortSignal.abort());
      expect(deliveries).toEqual([]);
    });
  });
}

interface Receiver {
  readonly deliveries: readonly Snapshot[];
  /** Waits for the delivery of this number, from 1, and expects it to be the last one so far. */
  delivery(number: number): Promise<Snapshot>;
  stop(): Promise<void>;
}

/** @param answer what becomes of a state */
function run(
  source: ConfigSource,
  answer: () => Promise<'applied' | 'rejected'> = async () => 'applied',
): Receiver {
  const deliveries: Snapshot[] = [];
  const stopping = new AbortController();
  const running = source.run(async (snapshot): Promise<ApplyResult> => {
    deliveries.push(snapshot);
    const { version, issues } = snapshot;
    return { kind: await answer(), version, issues };
  }, stopping.signal);

  async function delivery(number: number): Promise<Snapshot> {
    await vi.waitUntil(() => deliveries.length >= number, { timeout: 10_000, interval: 5 });
    expect(deliveries).toHaveLength(number);
    return deliveries[number - 1] as Snapshot;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await running;
  }
  onTestFinished(stop);

  return { deliveries, delivery, stop };
}

function limitsOf({ documents }: Snapshot): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const { domain, descriptors } of documents) {
    const limit = descriptors[0]?.rateLimits[0]?.limit;
    if (typeof limit === 'object') limits[domain] = limit.requestsPerUnit;
  }
  return limits;
}
