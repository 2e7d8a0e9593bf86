import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RedisServer } from '../support/redis-server.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { runScenario } from './run-scenario.ts';
import { type Profile, readProfiles } from './scenario.ts';
import { createServiceClient, type ServiceClient } from './service-client.ts';

/** Where the service counts during a profile. */
export interface StoreOfProfile {
  /** The settings that choose it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Longer than an hour's end is waited for, and the slowest counts. */
const scenarioTimeoutMs = 90_000;

/**
 * One start of the service for each profile, on an empty store; a test for each scenario.
 * @param emptyStore called before each start; its settings count before those of the profile.
 */
export function describeProfiles(emptyStore: (profile: Profile) => Promise<StoreOfProfile>): void {
  const profiles = readProfiles();
  for (const profile of profiles) {
    describe(profile.name, () => describeProfile(profile, emptyStore));
  }
  const profile = profiles.find(({ name }) => name === 'default');
  if (profile === undefined) throw new Error('the data have no default profile');
  const { LOCAL_CACHE_SIZE_IN_BYTES: _, ...env } = profile.env;
  describe('default, with the deny cache that is on by default', () =>
    describeProfile({ ...profile, env }, emptyStore, denyCacheSeries));
}

/** What the deny cache adds to the metrics; how much depends on time. */
const denyCacheSeries = /_with_local_cache\{/;

function describeProfile(
  profile: Profile,
  emptyStore: (profile: Profile) => Promise<StoreOfProfile>,
  ignoredSeries?: RegExp,
): void {
  const run = `r${Date.now().toString(36)}`;
  let weir: RunningWeir;
  let client: ServiceClient;
  beforeAll(async () => {
    const { env } = await emptyStore(profile);
    weir = await startWeir({ env: { ...profile.env, ...env }, rules: profile.rulesDirectory });
    client = createServiceClient(weir.address, ignoredSeries);
  });
  afterAll(async () => {
    client?.close();
    await weir?.stop();
  });
  for (const { file, scenarios } of profile.files) {
    describe(file, () => {
      for (const scenario of scenarios) {
        it(
          scenario.name,
          async () => {
            const problems = await runScenario(scenario, client, run);
            expect(problems, scenario.shows).toEqual([]);
          },
          scenarioTimeoutMs,
        );
      }
    });
  }
}

/** Removes every key of these servers, so that the next profile finds an empty store. */
export async function emptyServers(servers: readonly RedisServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.client.flushall()));
}
