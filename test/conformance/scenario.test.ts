import { expect, it } from 'vitest';
import { readProfiles } from './scenario.ts';

it('all of the data is read: every profile, scenario and answer that its README counts', () => {
  const profiles = readProfiles();
  const scenarios = profiles.flatMap(({ files }) => files.flatMap((file) => file.scenarios));
  const answers = scenarios.flatMap(({ steps }) => steps.filter(({ wait }) => wait === undefined));
  expect(profiles.map(({ name }) => name)).toHaveLength(13);
  expect(scenarios).toHaveLength(205);
  expect(answers).toHaveLength(731);
});
