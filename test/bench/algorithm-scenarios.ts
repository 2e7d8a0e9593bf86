import { systemClock } from '../../src/domain/clock.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { rulesOf } from '../support/limiter-fixture.ts';
import { startRedis } from '../support/redis-server.ts';
import { type Measured, type Row, type Scenario, seededRandom } from './measure.ts';
import { type DecisionRun, measureDecisions } from './measure-decisions.ts';
import { standaloneStore } from './redis-stores.ts';
import { descriptorOf, requestOf } from './rules.ts';

/** Users, each of whom sends some hundred requests a second. */
const userCount = 1_000;
const plenty = 'requests_per_unit: 1000000000';

/**
 * One limit for each user, by each way to count. None denies. A bucket may be full again when a user comes back, as it is for
 * those who stay below their rate, or not, and costs something else then.
 */
const ways: readonly (readonly [name: string, limits: string])[] = [
  ['fixed window', `rate_limit: {unit: minute, ${plenty}}`],
  ['sliding window', `rate_limit: {unit: minute, ${plenty}, algorithm: sliding_window}`],
  ['token bucket, full again', `rate_limit: {unit: minute, ${plenty}, algorithm: token_bucket}`],
  [
    'token bucket, drawn down',
    'rate_limit: {unit: day, requests_per_unit: 1000000, algorithm: token_bucket, burst: 5000000}',
  ],
  ['calendar window', `rate_limit: {unit: month, ${plenty}, align: calendar, timezone: Europe/Berlin}`],
  ['two fixed windows', 'rate_limits: [1000000000/minute, 1000000000/day]'],
];

/** Each in the same process and on the same Redis, one after the other; what counts is the ratio to the first. */
export const algorithmScenarios: readonly Scenario[] = [
  { name: 'algorithms on memory', run: () => compare('on memory', runOnMemory) },
  { name: 'algorithms on Redis', run: () => compare('on Redis', runOnRedis) },
];

type Run = Omit<DecisionRun, 'requests' | 'rules'>;

async function compare(where: string, withStore: (measure: (run: Run) => Promise<void>) => Promise<void>) {
  const rows: Row[] = [];
  const requests = requestsOfUsers();
  let first: Measured | undefined;
  for (const [name, limits] of ways) {
    const rules = rulesOf(`domain: bench\ndescriptors: [{key: user, ${limits}}]`);
    await withStore(async (run) => {
      const measured = await measureDecisions({ ...run, rules, requests });
      first ??= measured;
      rows.push({ name: `${name}, ${where}`, measured: { ...measured, note: ratios(measured, first) } });
    });
  }
  return rows;
}

async function runOnMemory(measure: (run: Run) => Promise<void>): Promise<void> {
  await measure({ store: createMemoryStore({ clock: systemClock, maxCounters: 100_000 }), inFlight: 1 });
}

async function runOnRedis(measure: (run: Run) => Promise<void>): Promise<void> {
  await using redis = await startRedis();
  const bench = standaloneStore(redis);
  try {
    await bench.store.ready;
    await measure({ store: bench.store, inFlight: 256, nodes: [redis], bench });
  } finally {
    await bench.store.close();
  }
}

function requestsOfUsers() {
  const random = seededRandom(3);
  return Array.from({ length: 4_096 }, () =>
    requestOf([descriptorOf([['user', `user-${Math.floor(random() * userCount)}`]])]),
  );
}

function ratios(measured: Measured, first: Measured): string {
  const ratio = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? undefined : (a / b).toFixed(2);
  const parts = [
    ['service', ratio(measured.serviceMicros, first.serviceMicros)],
    ['Redis', ratio(measured.redisMicros, first.redisMicros)],
    [
      'both',
      ratio(
        (measured.serviceMicros ?? 0) + (measured.redisMicros ?? 0),
        (first.serviceMicros ?? 0) + (first.redisMicros ?? 0),
      ),
    ],
  ].filter(([, value]) => value !== undefined);
  return measured === first ? '' : parts.map(([name, value]) => `${name} ${value}x`).join(', ');
}
