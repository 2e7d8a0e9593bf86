import { type RunningWeir, startWeir } from '../support/start-weir.ts';

/** One limit, which is never reached: every call has to be counted. */
export const openRules = {
  'shop.yaml': [
    'domain: shop',
    'descriptors:',
    '  - key: ip',
    '    rate_limit: { unit: day, requests_per_unit: 4000000000 }',
    '',
  ].join('\n'),
};

/** A budget of 15 ms for the store, so that what waits longer than that shows; and policies are told apart in answers. */
const settings = { STORE_TIMEOUT: '15ms', RESPONSE_DYNAMIC_METADATA: 'true', LOCAL_CACHE_SIZE_IN_BYTES: '0' };

/** A service on this Redis, with the limit that is never reached unless others are given. */
export function serve(
  env: Readonly<Record<string, string>>,
  rules: Readonly<Record<string, string>> = openRules,
): Promise<RunningWeir> {
  return startWeir({ rules, env: { BACKEND_TYPE: 'redis', ...settings, ...env } });
}
