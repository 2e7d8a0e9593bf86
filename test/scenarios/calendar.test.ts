import { expect, it } from 'vitest';
import { limiterFixture, printStatuses } from '../support/limiter-fixture.ts';

const limit = (unit: string, rest = '') => `rate_limit: {unit: ${unit}, requests_per_unit: 2${rest}}`;
const calendar = ', align: calendar';
const berlin = `${calendar}, timezone: Europe/Berlin`;
const yaml = `
domain: shop
descriptors:
  - {key: month, ${limit('month')}}
  - {key: calendar month, ${limit('month', calendar)}}
  - {key: week, ${limit('week')}}
  - {key: calendar week, ${limit('week', calendar)}}
  - {key: berlin day, ${limit('day', berlin)}}
  - {key: berlin year, ${limit('year', berlin)}}
`;

it.each([
  // 30 days from the epoch on: from 6 February to 8 March.
  ['month', '2026-02-28T23:59:59Z', 'OK 1/2 604801s', 'OK 0/2 604800s'],
  ['calendar month', '2026-02-28T23:59:59Z', 'OK 1/2 1s', 'OK 1/2 2678400s'],
  // From Thursday on, as the epoch began.
  ['week', '2026-03-01T23:59:59Z', 'OK 1/2 259201s', 'OK 0/2 259200s'],
  ['calendar week', '2026-03-01T23:59:59Z', 'OK 1/2 1s', 'OK 1/2 604800s'],
  ['berlin day', '2026-03-28T22:59:59Z', 'OK 1/2 1s', `OK 1/2 ${23 * 3_600}s`],
  ['berlin day', '2026-10-24T21:59:59Z', 'OK 1/2 1s', `OK 1/2 ${25 * 3_600}s`],
  ['berlin year', '2027-12-31T22:59:59Z', 'OK 1/2 1s', `OK 1/2 ${366 * 86_400}s`],
])('N13: %s at %s and a second later', async (key, time, first, second) => {
  const { clock, decide } = limiterFixture({ yaml, time });
  expect(printStatuses(await decide(`${key}=k`))).toEqual([first]);
  clock.advance(1_000);
  expect(printStatuses(await decide(`${key}=k`))).toEqual([second]);
});

it('the 29th of February is a day of its month', async () => {
  const { clock, codes, decide } = limiterFixture({ yaml, time: '2028-02-01T00:00:00Z' });
  await codes(2, 'calendar month=k');
  clock.set('2028-02-29T23:59:59Z');
  expect(printStatuses(await decide('calendar month=k'))).toEqual(['OVER 0/2 1s']);
  clock.set('2028-03-01T00:00:00Z');
  expect(printStatuses(await decide('calendar month=k'))).toEqual(['OK 1/2 2678400s']);
});
