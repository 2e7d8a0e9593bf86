import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from '../../src/domain/decision.ts';
import { firstDifference } from './compare.ts';
import type { Scenario, Step } from './scenario.ts';
import type { ServiceClient } from './service-client.ts';

/** A window of an hour must not end in the middle of a scenario. */
const boundaryMarginMs = 20_000;
/** How long counts may take to show. */
const metricsPatienceMs = 8_000;

/** In calls and answers it stands for one text of the run, which keeps counters of runs apart. */
const runMark = /\$\{run\}/g;

type Baselines = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Takes the steps of a scenario and returns what was not as it must be, one text for each step that failed; the others are
 * still taken. `run` takes the place of `${run}`.
 */
export async function runScenario(scenario: Scenario, client: ServiceClient, run: string): Promise<string[]> {
  const { steps } = JSON.parse(JSON.stringify(scenario).replaceAll(runMark, run)) as Scenario;
  await waitForBoundary();
  const baselines = await readBaselines(steps, client);
  const problems: string[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.wait !== undefined) {
      await sleep(step.wait * 1000);
      continue;
    }
    const problem = await takeStep(step, client, baselines);
    if (problem !== undefined) problems.push(`step ${index + 1}: ${problem}`);
  }
  return problems;
}

async function waitForBoundary(): Promise<void> {
  const hour = 3_600_000;
  const left = hour - (Date.now() % hour);
  if (left < boundaryMarginMs) await sleep(left + 1000);
}

/** What the series that the scenario asks for count before it. */
async function readBaselines(steps: readonly Step[], client: ServiceClient): Promise<Baselines> {
  const baselines = new Map<string, ReadonlyMap<string, number>>();
  for (const { metrics } of steps) {
    if (metrics !== undefined) baselines.set(metrics, await client.series(metrics));
  }
  return baselines;
}

async function takeStep(
  step: Step,
  client: ServiceClient,
  baselines: Baselines,
): Promise<string | undefined> {
  const expected = step.weir ?? step.expect;
  const got = await send(step, expected, client, baselines);
  const difference = firstDifference(expected, got);
  if (difference === undefined) return undefined;
  return `${difference}\n  expected ${JSON.stringify(expected)}\n  got      ${JSON.stringify(got)}`;
}

async function send(
  step: Step,
  expected: Json | undefined,
  client: ServiceClient,
  baselines: Baselines,
): Promise<Json> {
  if (step.grpc !== undefined) return repeat(step.grpc, step.repeat ?? 1, client);
  if (step.raw !== undefined) return client.rateLimitRaw(step.raw);
  if (step.http !== undefined) return client.http(step.http);
  if (step.health !== undefined) return client.health(step.health);
  if (step.metrics === undefined) throw new Error('a step without a call');
  return gained(step.metrics, expected, client, baselines.get(step.metrics) ?? new Map());
}

/** Sends a request so many times. The answer is the last one; of more than one, with the codes of all. */
async function repeat(request: Json, times: number, client: ServiceClient): Promise<Json> {
  let answer: JsonObject = {};
  const codes: Json[] = [];
  for (let i = 0; i < times; i++) {
    answer = (await client.rateLimit(request)) as JsonObject;
    const response = answer['response'] as JsonObject | undefined;
    codes.push((response === undefined ? answer['status'] : response['overallCode']) ?? null);
  }
  return times > 1 ? { ...answer, codes } : answer;
}

/** What the series have gained, as soon as it is what is expected; if it never is, what it was at last. */
async function gained(
  text: string,
  expected: Json | undefined,
  client: ServiceClient,
  before: ReadonlyMap<string, number>,
): Promise<Json> {
  for (const end = performance.now() + metricsPatienceMs; ; await sleep(100)) {
    const series: Record<string, Json> = {};
    for (const [name, value] of await client.series(text)) {
      const gain = value - (before.get(name) ?? 0);
      if (gain !== 0) series[name] = gain;
    }
    if (performance.now() > end || firstDifference(expected, { series }) === undefined) return { series };
  }
}
