import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionEvent } from '../../src/limiter/decision-event.ts';
import { Changes } from '../../src/simulate/figures/changes.ts';
import { LogFigures } from '../../src/simulate/figures/log-figures.ts';
import { createJsonLineReader } from '../../src/simulate/log/json-line.ts';
import { replay } from '../../src/simulate/replay.ts';
import { createSimulation, type SimulationOptions } from '../../src/simulate/simulation.ts';
import { createVirtualClock } from '../../src/simulate/virtual-clock.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { limiterFixture, printStatuses, rulesOf } from '../support/limiter-fixture.ts';
import { descriptor, request } from '../support/requests.ts';
import { type Asked, cut, linesOf, randomLog, start } from './random-log.ts';

const yaml = `
domain: shop
descriptors:
  - { key: user, rate_limit: { unit: minute, requests_per_unit: 5 } }
  - { key: user, value: vip, rate_limit: { unlimited: true } }
  - { key: user, value: new*, share_threshold: true, rate_limit: { unit: second, requests_per_unit: 2 } }
  - { key: soft, shadow_mode: true, rate_limit: { unit: minute, requests_per_unit: 2 } }
  - { key: quota, quota_mode: true, rate_limit: { unit: hour, requests_per_unit: 4 } }
  - key: path
    descriptors:
      - { key: user, rate_limit: { name: both, window: 10s, requests_per_unit: 3 } }
  - { key: any, rate_limit: { unit: minute, requests_per_unit: 1, name: any, replaces: [{ name: both }] } }
`;
const stricter = yaml.replace('requests_per_unit: 5', 'requests_per_unit: 3');
const options: SimulationOptions = {
  countDenied: true,
  quotaMode: false,
  nearLimitRatio: 0.8,
  bounds: { maxDescriptors: 1024, maxEntries: 64 },
  maxCounters: 10_000,
};

/** What an event says, in words that two runs have in common. */
function wordsOf({ answer, outcomes }: DecisionEvent): string {
  if (answer.kind === 'failure') return answer.code;
  const numbers = outcomes.map(({ hits, nearLimit, overLimit, shadowMode }) => [
    hits,
    nearLimit,
    overLimit,
    shadowMode,
  ]);
  return `${answer.overallCode}: ${printStatuses(answer).join(', ')} ${JSON.stringify(numbers)}`;
}

async function replayed(
  requests: readonly Asked[],
  over: Partial<SimulationOptions>,
  rules: readonly string[],
) {
  const clock = createVirtualClock();
  const events: string[] = [];
  const changes = new Changes();
  const listeners = [
    (event: DecisionEvent) => {
      events.push(wordsOf(event));
      changes.addA(event);
    },
    (event: DecisionEvent) => changes.addB(event),
  ];
  const simulations = rules.map((text, index) =>
    createSimulation(rulesOf(text), clock, { ...options, ...over }, listeners.slice(index, index + 1)),
  );
  const log = new LogFigures(clock);
  const readLine = createJsonLineReader();
  await replay(cut(linesOf(requests)), { readLine, clock, log, simulations, onProgress: () => {} });
  return { events, log, simulations, changes };
}

/** The same requests, asked of a limiter one by one, at times that are never set back. */
async function served(requests: readonly Asked[], over: Partial<SimulationOptions>, text: string) {
  const clock = fakeClock(0);
  const fixture = limiterFixture({ yaml: text, clock, ...over });
  let time = start;
  for (const { gapMs, hits, descriptors } of requests) {
    time += gapMs;
    if (time > clock.now()) clock.advance(time - clock.now());
    const all = descriptors.map((one) => descriptor(one));
    await fixture.limiter.decide(request('shop', all, hits), undefined, { provenNames: [] });
  }
  return fixture.events;
}

describe('a replay', () => {
  it.each([{}, { countDenied: false }, { quotaMode: true }])(
    'decides as the limiter does for which the time passes, with %j',
    async (over) => {
      await fc.assert(
        fc.asyncProperty(randomLog, async (requests) => {
          const { events, simulations } = await replayed(requests, over, [yaml]);
          const expected = await served(requests, over, yaml);
          expect(events).toEqual(expected.map(wordsOf));
          const isDenied = ({ answer }: DecisionEvent) =>
            answer.kind === 'decision' && answer.overallCode === 'OVER_LIMIT';
          const denied = expected.filter(isDenied);
          expect(simulations[0]?.figures).toMatchObject({
            denied: denied.length,
            allowed: expected.length - denied.length,
            failed: 0,
          });
          for (const { id } of rulesOf(yaml).rules) {
            const ofRule = (events: readonly DecisionEvent[]) =>
              events
                .flatMap(({ outcomes }) => outcomes)
                .filter(({ rule, source }) => rule?.id === id && source === 'rule');
            const over = ofRule(denied).filter(({ status }) => status.code === 'OVER_LIMIT');
            const figures = simulations[0]?.figures.ofRule(id);
            expect(figures?.denied ?? 0).toBe(over.length);
            expect(figures?.allowed ?? 0).toBe(ofRule(expected).length - over.length);
          }
        }),
        { numRuns: 60 },
      );
    },
  );

  it('of two configurations decides each as it would alone, and tells the requests that change', async () => {
    await fc.assert(
      fc.asyncProperty(randomLog, async (requests) => {
        const { simulations, changes } = await replayed(requests, {}, [yaml, stricter]);
        const codes = async (text: string) =>
          (await served(requests, {}, text)).map(
            ({ answer }) => answer.kind === 'decision' && answer.overallCode,
          );
        const [a, b] = [await codes(yaml), await codes(stricter)];
        expect(simulations.map(({ figures }) => figures.denied)).toEqual(
          [a, b].map((codes) => codes.filter((code) => code === 'OVER_LIMIT').length),
        );
        expect(changes.newlyDenied).toBe(
          a.filter((code, at) => code === 'OK' && b[at] === 'OVER_LIMIT').length,
        );
        expect(changes.newlyAllowed).toBe(
          a.filter((code, at) => code === 'OVER_LIMIT' && b[at] === 'OK').length,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('counts lines that come late at the time that it has become', async () => {
    const one = { hits: 1, descriptors: ['user=ann'] };
    const { log, simulations } = await replayed(
      [
        { gapMs: 0, ...one },
        { gapMs: 60_000, ...one },
        { gapMs: -60_000, ...one },
        { gapMs: 59_000, ...one },
      ],
      {},
      [yaml],
    );
    expect(log).toMatchObject({ requests: 4, late: 2, mostLateMs: 60_000 });
    expect(log.period).toEqual({ fromMs: start, toMs: start + 60_000 });
    const user = simulations[0]?.rules.rules.find(({ path }) => path === 'shop.user');
    expect(simulations[0]?.figures.ofRule(user?.id ?? -1)?.fullest).toBeCloseTo(3 / 5);
  });
});
