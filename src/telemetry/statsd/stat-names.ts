import type { SeriesLabels } from '../series-labels.ts';

/** What stands where the reference has the name of an unknown domain, whose number nothing bounds. */
const unknownDomain = '(other)';

/** The reference's name of a rule's statistics, which ends before the statistic: `ratelimit.service.rate_limit.shop.ip`. */
export function ruleStatName({ domain, key1, key2, deeper }: SeriesLabels): string {
  const keys = key2 === undefined ? [key1] : [key1, key2, ...deeper];
  return statName(['ratelimit.service.rate_limit', domain, ...keys].join('.'));
}

/** A name as a line can hold it, in printable ASCII. The reference has `_` for what would end a name. */
export function statName(text: string): string {
  return text.replace(/[^ -~]|[:|]/g, '_');
}

/** gostats appends tags to names where the receiver knows none: `.__env=prod`, in the order of their keys. */
export function tagSuffix(tags: readonly (readonly [key: string, value: string])[]): string {
  const cleaned = tags.map(([key, value]) => [tagText(key), tagText(value)] as const);
  return cleaned
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `.__${key}=${value}`)
    .join('');
}

function tagText(text: string): string {
  return statName(text).replaceAll('.', '_');
}

interface StatFamily {
  readonly kind: 'counter' | 'gauge';
  readonly name: (labels: Readonly<Record<string, string>>) => string | undefined;
}

const counter = (name: string): StatFamily => ({ kind: 'counter', name: () => name });
const gauge = (name: string): StatFamily => ({ kind: 'gauge', name: () => name });

/** The families of the page that the reference has a statsd name for, by their names there. */
export const statFamilies: Readonly<Record<string, StatFamily>> = {
  ratelimit_service_total_requests: {
    kind: 'counter',
    name: ({ grpc_method = '' }) => `ratelimit_server.${grpc_method}.total_requests`,
  },
  ratelimit_service_should_rate_limit_error: {
    kind: 'counter',
    name: ({ err_type = '' }) => `ratelimit.service.call.should_rate_limit.${err_type}`,
  },
  ratelimit_service_config_load_success: counter('ratelimit.service.config_load_success'),
  ratelimit_service_config_load_error: counter('ratelimit.service.config_load_error'),
  ratelimit_service_global_shadow_mode: counter('ratelimit.service.global_shadow_mode'),
  weir_unmatched_total: {
    kind: 'counter',
    name: ({ reason }) =>
      reason === 'unknown_domain'
        ? `ratelimit.service.rate_limit.${unknownDomain}.domain_not_found`
        : undefined,
  },
  weir_override_hits_total: {
    kind: 'counter',
    name: ({ stat = '' }) => `ratelimit.service.rate_limit.(override).${stat}`,
  },
  ...poolFamilies('ratelimit_redis_pool', 'ratelimit.redis_pool'),
  ...poolFamilies('ratelimit_redis_per_second_pool', 'ratelimit.redis_per_second_pool'),
  weir_deny_cache_entries: gauge('ratelimit.localcache.entryCount'),
};

function poolFamilies(family: string, name: string): Record<string, StatFamily> {
  return {
    [`${family}_cx_active`]: gauge(`${name}.cx_active`),
    [`${family}_cx_total`]: counter(`${name}.cx_total`),
    [`${family}_cx_local_close`]: counter(`${name}.cx_local_close`),
  };
}
