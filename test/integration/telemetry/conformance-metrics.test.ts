import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anonymous } from '../../../src/domain/caller.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { Answer, Json } from '../../../src/domain/decision.ts';
import { createLimiter } from '../../../src/limiter/limiter.ts';
import { compileRules } from '../../../src/rules/compile.ts';
import { parseRules } from '../../../src/rules/parse/parse.ts';
import type { RuleSet } from '../../../src/rules/rule-set.ts';
import { createJsonCodec } from '../../../src/server/http/json-codec.ts';
import { loadProtoRegistry } from '../../../src/server/proto-registry.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';
import type { Settings } from '../../../src/settings/settings.ts';
import { createMemoryStore } from '../../../src/store/memory-store.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { runScenario } from '../../conformance/run-scenario.ts';
import { type Profile, readProfiles, type Scenario } from '../../conformance/scenario.ts';
import type { ServiceClient } from '../../conformance/service-client.ts';
import { scrape } from '../../support/scrape.ts';

/**
 * The series that the reference gained, and Weir's where they differ on purpose: every scenario of the conformance data
 * that looks at them, on the limiter and the metrics alone, without listeners and processes between.
 */
const codec = createJsonCodec({
  registry: loadProtoRegistry(),
  bounds: { maxDescriptors: 1_024, maxEntries: 256 },
});

function settingsOf(profile: Profile): Settings {
  const result = readSettings(profile.env);
  if (!('settings' in result)) throw new Error(JSON.stringify(result.errors));
  return result.settings;
}

function rulesOf({ rulesDirectory }: Profile, keyPrefix: string): RuleSet {
  const documents = readdirSync(rulesDirectory).flatMap((name) => {
    const { document } = parseRules(name, readFileSync(join(rulesDirectory, name)));
    return document === undefined ? [] : [document];
  });
  const { ruleSet, issues } = compileRules(documents, { mergeDomains: false, keyPrefix, version: 'v1' });
  if (ruleSet === undefined) throw new Error(JSON.stringify(issues));
  return ruleSet;
}

/** The service without its edges; what the gRPC edge reports of a call is reported here. */
function createClient(profile: Profile): ServiceClient {
  const settings = settingsOf(profile);
  const rules = rulesOf(profile, settings.limiter.keyPrefix);
  const metrics = createMetrics({ ...settings.metrics, withProcess: false });
  const limiter = createLimiter({
    ...settings.limiter,
    rules: () => rules,
    store: createMemoryStore({ clock: systemClock, maxCounters: 10_000 }),
    localStore: createMemoryStore({ clock: systemClock, maxCounters: 1 }),
    clock: systemClock,
    listeners: [metrics.listener],
  });

  async function decide(json: Json): Promise<Answer> {
    const request = codec.readRequest(Buffer.from(JSON.stringify(json)));
    return 'kind' in request ? request : limiter.decide(request, undefined, anonymous);
  }

  async function rateLimit(json: Json): Promise<Json> {
    const answer = await decide(json);
    const code = answer.kind === 'failure' ? answer.code : 'OK';
    metrics.onCall({ protocol: 'grpc', method: 'ShouldRateLimit', isStream: false, code, seconds: 0.001 });
    return answer.kind === 'failure'
      ? { status: code }
      : { response: JSON.parse(codec.writeResponse(answer)) };
  }

  return {
    rateLimit,
    http: async ({ body = null }) => ({ httpStatus: (await decide(body)).kind === 'failure' ? 400 : 200 }),
    series: async (text) => {
      const isCount = (name: string) => !/_(bucket|sum)($|\{)/.test(name);
      return new Map([...(await scrape(metrics))].filter(([name]) => name.includes(text) && isCount(name)));
    },
    rateLimitRaw: () => Promise.reject(new Error('no scenario about metrics needs this')),
    health: () => Promise.reject(new Error('no scenario about metrics needs this')),
    close: () => {},
  };
}

function scenariosAboutMetrics({ files }: Profile): Scenario[] {
  return files
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ steps }) => steps.some(({ metrics }) => metrics !== undefined));
}

const profiles = readProfiles().filter((profile) => scenariosAboutMetrics(profile).length > 0);

for (const profile of profiles) {
  describe(`profile ${profile.name}`, () => {
    const client = createClient(profile);
    it.each(scenariosAboutMetrics(profile))('$name: $shows', async (scenario) => {
      expect(await runScenario(scenario, client, 'run1')).toEqual([]);
    });
  });
}

it('the data have scenarios about metrics where they are expected', () => {
  expect(profiles.map(({ name }) => name).sort()).toEqual([
    'default',
    'local-cache',
    'near-limit-ratio',
    'shadow',
    'stop-increment',
  ]);
});
