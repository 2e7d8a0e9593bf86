/** Where a key of the rules language may stand. */
export type Place = 'file' | 'rule' | 'rate_limit' | 'replaces' | 'aggregate' | 'exemption';

/** The keys of each place: the reference's, and {@link ownKeys}. */
export const keysOf: Readonly<Record<Place, readonly string[]>> = Object.freeze({
  file: Object.freeze([
    'domain',
    'descriptors',
    'failure_policy',
    'refunds',
    'sensitive',
    'clients',
    'exemptions',
  ]),
  rule: Object.freeze([
    'key',
    'value',
    'cidrs',
    'aggregate',
    'rate_limit',
    'rate_limits',
    'descriptors',
    'shadow_mode',
    'quota_mode',
    'detailed_metric',
    'value_to_metric',
    'share_threshold',
    'metadata',
    'failure_policy',
    'sensitive',
  ]),
  rate_limit: Object.freeze([
    'unit',
    'window',
    'requests_per_unit',
    'unlimited',
    'name',
    'replaces',
    'algorithm',
    'burst',
    'align',
    'timezone',
    'warn_at',
  ]),
  replaces: Object.freeze(['name']),
  aggregate: Object.freeze(['ipv4', 'ipv6']),
  exemption: Object.freeze(['key', 'value', 'values', 'prefix', 'cidrs']),
});

/** Keys that the reference does not know, so that no configuration depends on their being ignored anywhere. */
export const ownKeys: ReadonlySet<string> = new Set([
  'window',
  'failure_policy',
  'refunds',
  'sensitive',
  'clients',
  'cidrs',
  'aggregate',
  'ipv4',
  'ipv6',
  'exemptions',
  'values',
  'prefix',
  'rate_limits',
  'algorithm',
  'burst',
  'align',
  'timezone',
  'warn_at',
]);

/** For messages. */
export const placeNames: Readonly<Record<Place, string>> = Object.freeze({
  file: 'at the top of a file',
  rule: 'in a rule',
  rate_limit: 'in a rate_limit',
  replaces: 'in an element of replaces',
  aggregate: 'in an aggregate',
  exemption: 'in an exemption',
});

/** Every key of the language, once. */
export const allKeys: readonly string[] = Object.freeze([...new Set(Object.values(keysOf).flat())]);

/** Places that the reference does not have: nothing in them is there to be ignored. */
export const ownPlaces: ReadonlySet<Place> = new Set(['aggregate', 'exemption']);

export function placesOf(key: string): readonly Place[] {
  return (Object.keys(keysOf) as Place[]).filter((place) => keysOf[place].includes(key));
}
