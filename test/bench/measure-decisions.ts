import { anonymous } from '../../src/domain/caller.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { RateLimitRequest } from '../../src/domain/descriptor.ts';
import { createLimiter, type Limiter } from '../../src/limiter/limiter.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import type { CounterStore } from '../../src/store/counter-store.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { cpuMsSince, type Measured, medianRound, rounds } from './measure.ts';
import type { BenchStore } from './redis-stores.ts';

/** Decisions to be measured: of the limiter alone, without an edge. */
export interface DecisionRun {
  readonly rules: RuleSet;
  readonly store: CounterStore;
  readonly requests: readonly RateLimitRequest[];
  readonly inFlight: number;
  readonly nodes?: readonly RedisServer[];
  readonly bench?: BenchStore;
}

/** Decides until it is warm, then in rounds. */
export async function measureDecisions({
  rules,
  store,
  requests,
  inFlight,
  nodes = [],
  bench,
}: DecisionRun): Promise<Measured> {
  const limiter = createBenchLimiter(rules, store);
  const times = nodes.length === 0 ? 300_000 : 100_000;
  await decideTimes(limiter, requests, { times, inFlight }); // warm-up
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const redisBefore = await redisCpuMs(nodes);
    const callsBefore = bench?.calls() ?? { calls: 0, hits: 0 };
    const cpu = process.cpuUsage();
    const start = performance.now();
    await decideTimes(limiter, requests, { times, inFlight });
    const wallMs = performance.now() - start;
    const serviceMicros = (cpuMsSince(cpu) / times) * 1000;
    const calls = bench?.calls() ?? { calls: 0, hits: 0 };
    const redisMs = (await redisCpuMs(nodes)) - redisBefore;
    measured.push({
      decisionsPerSecond: (times / wallMs) * 1000,
      serviceMicros,
      ...(nodes.length === 0
        ? {}
        : {
            redisMicros: (redisMs / times) * 1000,
            hitsPerCall: (calls.hits - callsBefore.hits) / (calls.calls - callsBefore.calls),
          }),
    });
  }
  return medianRound(measured);
}

async function decideTimes(
  limiter: Limiter,
  requests: readonly RateLimitRequest[],
  { times, inFlight }: { times: number; inFlight: number },
): Promise<void> {
  let next = 0;
  const decideInTurn = async () => {
    while (next < times) {
      const request = requests[next++ % requests.length];
      if (request === undefined) throw new Error('no request');
      const answer = await limiter.decide(request, undefined, anonymous);
      if (answer.kind !== 'decision' || answer.overallCode !== 'OK') throw new Error(JSON.stringify(answer));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, decideInTurn));
}

/** As `weir serve` makes it, without listeners: what metrics and logs cost shows in the rows of whole calls. */
function createBenchLimiter(rules: RuleSet, store: CounterStore): Limiter {
  return createLimiter({
    rules: () => rules,
    store,
    clock: systemClock,
    listeners: [],
    bounds: { maxDescriptors: 1_024, maxEntries: 64 },
    storeTimeoutMs: 250,
    countDenied: true,
    quotaMode: false,
    shadowMode: false,
    nearLimitRatio: 0.8,
    denyCache: { maxBytes: 4_194_304, lookAgainMs: 500 },
    responseHeaders: undefined,
    limitFields: false,
    warningHeader: 'X-RateLimit-Warning',
    dynamicMetadata: false,
    denialBody: undefined,
    failurePolicy: 'error',
    localStore: store,
    localShare: 1,
  });
}

/** CPU time of all nodes, as they say themselves. */
export async function redisCpuMs(nodes: readonly RedisServer[]): Promise<number> {
  const infos = await Promise.all(nodes.map((node) => node.client.info('cpu')));
  const seconds = infos.flatMap((info) =>
    Array.from(info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm), ([, value]) => Number(value)),
  );
  return seconds.reduce((sum, one) => sum + one, 0) * 1000;
}
