/** Where a key of the rules language may stand. */
export type Place = 'file' | 'rule' | 'rate_limit' | 'replaces';

/** The keys of each place: the reference's, and {@link ownKeys}. */
export const keysOf: Readonly<Record<Place, readonly string[]>> = Object.freeze({
  file: Object.freeze(['domain', 'descriptors', 'failure_policy', 'refunds', 'sensitive', 'clients']),
  rule: Object.freeze([
    'key',
    'value',
    'rate_limit',
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
  rate_limit: Object.freeze(['unit', 'window', 'requests_per_unit', 'unlimited', 'name', 'replaces']),
  replaces: Object.freeze(['name']),
});

/** Keys that the reference does not know, so that no configuration depends on their being ignored anywhere. */
export const ownKeys: ReadonlySet<string> = new Set([
  'window',
  'failure_policy',
  'refunds',
  'sensitive',
  'clients',
]);

/** For messages. */
export const placeNames: Readonly<Record<Place, string>> = Object.freeze({
  file: 'at the top of a file',
  rule: 'in a rule',
  rate_limit: 'in a rate_limit',
  replaces: 'in an element of replaces',
});

/** Every key of the language, once. */
export const allKeys: readonly string[] = Object.freeze([...new Set(Object.values(keysOf).flat())]);

export function placesOf(key: string): readonly Place[] {
  return (Object.keys(keysOf) as Place[]).filter((place) => keysOf[place].includes(key));
}
