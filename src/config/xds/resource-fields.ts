import type { Place } from '../../rules/parse/rules-language.ts';

/** A message of `proto/ratelimit/config/ratelimit/v3/rls_conf.proto`: the key of the rules language that each field is. */
export interface ResourceMessage {
  /** Whose keys these are. */
  readonly place: Place;
  readonly fields: ReadonlyMap<number, ResourceField>;
}

export type ResourceField =
  | { readonly key: string; readonly kind: ScalarKind }
  /** A message with a list of texts. */
  | { readonly key: string; readonly kind: 'texts' }
  /** Texts, any number of them. */
  | { readonly key: string; readonly kind: 'repeated' }
  /** A google.protobuf.Struct. */
  | { readonly key: string; readonly kind: 'struct' }
  | { readonly key: string; readonly kind: 'message'; readonly message: ResourceMessage }
  | { readonly key: string; readonly kind: 'messages'; readonly message: ResourceMessage };

export type ScalarKind =
  | 'text'
  | 'flag'
  | 'count'
  | 'unit'
  /** The resource's own name, which is no key of the language. */
  | 'name';

/** Units by their number in ratelimit.config.ratelimit.v3.RateLimitUnit, in the words of the language. */
export const unitWords: readonly string[] = [
  'unknown',
  'second',
  'minute',
  'hour',
  'day',
  'month',
  'year',
  'week',
];

const replaceMessage: ResourceMessage = {
  place: 'replaces',
  fields: new Map([[1, { key: 'name', kind: 'text' }]]),
};

const policyMessage: ResourceMessage = {
  place: 'rate_limit',
  fields: new Map<number, ResourceField>([
    [1, { key: 'unit', kind: 'unit' }],
    [2, { key: 'requests_per_unit', kind: 'count' }],
    [3, { key: 'unlimited', kind: 'flag' }],
    [4, { key: 'name', kind: 'text' }],
    [5, { key: 'replaces', kind: 'messages', message: replaceMessage }],
    [10_001, { key: 'window', kind: 'text' }],
    [10_002, { key: 'algorithm', kind: 'text' }],
    [10_003, { key: 'burst', kind: 'count' }],
    [10_004, { key: 'align', kind: 'text' }],
    [10_005, { key: 'timezone', kind: 'text' }],
    [10_006, { key: 'warn_at', kind: 'repeated' }],
  ]),
};

const aggregateMessage: ResourceMessage = {
  place: 'aggregate',
  fields: new Map([
    [10_001, { key: 'ipv4', kind: 'text' }],
    [10_002, { key: 'ipv6', kind: 'text' }],
  ]),
};

const descriptorFields = new Map<number, ResourceField>([
  [1, { key: 'key', kind: 'text' }],
  [2, { key: 'value', kind: 'text' }],
  [3, { key: 'rate_limit', kind: 'message', message: policyMessage }],
  [5, { key: 'shadow_mode', kind: 'flag' }],
  [6, { key: 'detailed_metric', kind: 'flag' }],
  [7, { key: 'quota_mode', kind: 'flag' }],
  [8, { key: 'metadata', kind: 'struct' }],
  [10_001, { key: 'value_to_metric', kind: 'flag' }],
  [10_002, { key: 'share_threshold', kind: 'flag' }],
  [10_003, { key: 'failure_policy', kind: 'text' }],
  [10_004, { key: 'sensitive', kind: 'flag' }],
  [10_005, { key: 'cidrs', kind: 'repeated' }],
  [10_006, { key: 'aggregate', kind: 'message', message: aggregateMessage }],
  [10_007, { key: 'rate_limits', kind: 'messages', message: policyMessage }],
]);
const descriptorMessage: ResourceMessage = { place: 'rule', fields: descriptorFields };
descriptorFields.set(4, { key: 'descriptors', kind: 'messages', message: descriptorMessage });

const exemptionMessage: ResourceMessage = {
  place: 'exemption',
  fields: new Map<number, ResourceField>([
    [1, { key: 'key', kind: 'text' }],
    [2, { key: 'value', kind: 'text' }],
    [10_001, { key: 'values', kind: 'repeated' }],
    [10_002, { key: 'prefix', kind: 'text' }],
    [10_003, { key: 'cidrs', kind: 'repeated' }],
  ]),
};

/** `ratelimit.config.ratelimit.v3.RateLimitConfig`. */
export const configMessage: ResourceMessage = {
  place: 'file',
  fields: new Map<number, ResourceField>([
    [1, { key: 'name', kind: 'name' }],
    [2, { key: 'domain', kind: 'text' }],
    [3, { key: 'descriptors', kind: 'messages', message: descriptorMessage }],
    [10_001, { key: 'failure_policy', kind: 'text' }],
    [10_002, { key: 'refunds', kind: 'flag' }],
    [10_003, { key: 'sensitive', kind: 'flag' }],
    [10_004, { key: 'clients', kind: 'texts' }],
    [10_005, { key: 'exemptions', kind: 'messages', message: exemptionMessage }],
  ]),
};
