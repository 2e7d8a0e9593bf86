import type { Checks } from './checks.ts';
import { unknownPlaceholder } from './denial-body.ts';
import { headerNames } from './header-names.ts';
import type { DenialBodyFormat, HealthSettings, LimiterSettings, StoreSettings } from './settings.ts';

export function limiterSettings(checks: Checks): LimiterSettings {
  const { values } = checks;
  const countDenied = countsDenied(checks);
  return {
    keyPrefix: values.CACHE_KEY_PREFIX,
    storeTimeoutMs: values.STORE_TIMEOUT,
    countDenied,
    denyCache: denyCache(checks, countDenied),
    nearLimitRatio: values.NEAR_LIMIT_RATIO,
    shadowMode: values.SHADOW_MODE,
    quotaMode: values.QUOTA_MODE,
    dynamicMetadata: values.RESPONSE_DYNAMIC_METADATA,
    responseHeaders: values.LIMIT_RESPONSE_HEADERS_ENABLED ? headerNames(checks) : undefined,
    limitFields: values.LIMIT_FIELDS_ENABLED,
    warningHeader: values.LIMIT_WARNING_HEADER,
    denialBody: denialBody(checks),
    failurePolicy: values.STORE_FAILURE_POLICY,
    localShare: values.LOCAL_SHARE,
    localMaxCounters: values.LOCAL_MAX_COUNTERS,
    bounds: { maxDescriptors: values.MAX_DESCRIPTORS, maxEntries: values.MAX_ENTRIES },
  };
}

export function healthSettings({ values }: Checks, store: StoreSettings): HealthSettings {
  return {
    needsDomain: values.HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED,
    startsWithoutConfig: values.FORCE_START_WITHOUT_INITIAL_CONFIG,
    needsConnection: store.kind === 'redis' && values.REDIS_HEALTH_CHECK_ACTIVE_CONNECTION,
    storeWaitMs: values.STORE_WAIT,
  };
}

/** Two names for one thing; the second is the reference's, and says the contrary. */
function countsDenied(checks: Checks): boolean {
  const { COUNT_DENIED, STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: stop } = checks.values;
  const isContradiction =
    checks.isSet('COUNT_DENIED') &&
    checks.isSet('STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT') &&
    COUNT_DENIED === stop;
  if (isContradiction) {
    checks.fail('COUNT_DENIED', 'contradicts STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT. Remove one of them.');
  }
  const counts = COUNT_DENIED && !stop;
  checks.holds('COUNT_DENIED', String(counts));
  checks.holds('STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT', String(!counts));
  return counts;
}

function denyCache(checks: Checks, countDenied: boolean): LimiterSettings['denyCache'] {
  const { LOCAL_CACHE_SIZE_IN_BYTES: maxBytes, LOCAL_CACHE_LOOK_AGAIN: lookAgainMs } = checks.values;
  if (!countDenied && maxBytes > 0) {
    checks.unused(
      ['LOCAL_CACHE_SIZE_IN_BYTES', 'LOCAL_CACHE_LOOK_AGAIN'],
      'there is no local cache while requests that are denied do not count',
    );
    return undefined;
  }
  if (maxBytes > 0) return { maxBytes, lookAgainMs };
  checks.unused(['LOCAL_CACHE_LOOK_AGAIN'], 'LOCAL_CACHE_SIZE_IN_BYTES=0 turns the local cache off');
  return undefined;
}

function denialBody(checks: Checks): DenialBodyFormat | undefined {
  const {
    DENIAL_BODY: kind,
    DENIAL_BODY_TEMPLATE: template,
    DENIAL_BODY_CONTENT_TYPE: contentType,
  } = checks.values;
  if (kind !== 'template') {
    checks.unused(['DENIAL_BODY_TEMPLATE', 'DENIAL_BODY_CONTENT_TYPE'], 'DENIAL_BODY is not template');
    return kind === 'json' ? { kind } : undefined;
  }
  if (template === '')
    checks.fail('DENIAL_BODY_TEMPLATE', 'must hold the text, since DENIAL_BODY is template.');
  const unknown = unknownPlaceholder(template);
  if (unknown !== undefined) {
    checks.fail(
      'DENIAL_BODY_TEMPLATE',
      `has the placeholder {${unknown}}, which stands for nothing; docs/settings.md lists those that do.`,
    );
  }
  return { kind, template, contentType };
}
