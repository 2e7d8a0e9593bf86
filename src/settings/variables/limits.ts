import { denialBodyPlaceholders } from '../denial-body.ts';
import {
  choice,
  duration,
  flag,
  headerName,
  integer,
  lines,
  mediaType,
  ratio32,
  share,
  text,
} from '../value-type.ts';
import { honoured } from '../variable.ts';

/** How is decided, and what is answered. */
export const limitVariables = {
  EXPIRATION_JITTER_MAX_SECONDS: honoured(
    integer(),
    300,
    'Most seconds by which keys in Redis outlive their window at random; 0: none.',
    { reason: 'Never more than a tenth of the window, and none for windows below a minute.' },
  ),
  LOCAL_CACHE_SIZE_IN_BYTES: honoured(
    integer(),
    4_194_304,
    'Memory for counters known to be over their limit, which are denied without asking the store; 0: off.',
    {
      reason:
        'Reference: 0. It takes the load of those who are over off Redis. Always off while COUNT_DENIED is false.',
    },
  ),
  NEAR_LIMIT_RATIO: honoured(
    ratio32,
    Math.fround(0.8),
    'Share of a limit from which hits count as near it (a statistic).',
  ),
  CACHE_KEY_PREFIX: honoured(text, '', 'Beginning of every key, so that several services can share a Redis.'),
  STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: honoured(flag, false, 'The contrary of COUNT_DENIED.', {
    reason:
      'A denied request consumes nothing anywhere; in the reference, the counter that denies still moves.',
  }),
  LIMIT_RESPONSE_HEADERS_ENABLED: honoured(
    flag,
    false,
    'Headers that tell the client limit, remaining and reset.',
    {
      reason: 'A denial carries `Retry-After` as well. `/check` always has them.',
    },
  ),
  LIMIT_LIMIT_HEADER: honoured(headerName, 'RateLimit-Limit', 'Name of the header with the limit.'),
  LIMIT_REMAINING_HEADER: honoured(
    headerName,
    'RateLimit-Remaining',
    'Name of the header with what remains.',
  ),
  LIMIT_RESET_HEADER: honoured(
    headerName,
    'RateLimit-Reset',
    'Name of the header with the seconds until the reset.',
  ),
  HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED: honoured(
    flag,
    false,
    'Ready only while at least one domain is loaded.',
    {
      reason:
        'In any case it is not ready before the first good configuration, which may be an empty directory.',
    },
  ),
  SHADOW_MODE: honoured(
    flag,
    false,
    'Nothing is denied; statuses, headers and metrics show what would have been.',
  ),
  QUOTA_MODE: honoured(
    flag,
    false,
    'Every limit is a quota: a request is denied when all of its limits are over.',
  ),
  RESPONSE_DYNAMIC_METADATA: honoured(flag, false, 'Answers carry dynamic metadata for Envoy.'),
};

/** Weir's own, for the same. */
export const ownLimitVariables = {
  STORE_TIMEOUT: honoured(
    duration({ positive: true }),
    250,
    'At most this long waits a decision for the store.',
    {
      reason: "A caller's shorter deadline counts; one without a deadline must get an answer as well.",
    },
  ),
  STORE_FAILURE_POLICY: honoured(
    choice({ error: 'error', allow: 'allow', deny: 'deny', local: 'local' } as const),
    'error',
    "What callers get while counters can't be reached, or too much waits for the store: `error` (UNAVAILABLE, so that `failure_mode_deny` of Envoy decides), `allow`, `deny`, or `local` (counted in this process). Domains and rules may say otherwise: `failure_policy`.",
    { reason: 'The reference knows `error` alone.' },
  ),
  LOCAL_SHARE: honoured(
    share,
    1,
    'By policy `local`: the part of each limit that this process allows, such as `1/4` where there are four replicas. Rounded up to whole requests.',
    { reason: 'Every replica counts alone then, and none knows how many there are.' },
  ),
  LOCAL_MAX_COUNTERS: honoured(
    integer({ min: 1 }),
    100_000,
    'By policy `local`: counters that are held at most.',
    { reason: 'As MEMORY_STORE_MAX_COUNTERS.' },
  ),
  STORE_WAIT: honoured(
    duration(),
    10_000,
    'How long a store that never answered holds back readiness after the start.',
    {
      reason: 'A rollout should wait for Redis, but not for ever.',
    },
  ),
  COUNT_DENIED: honoured(
    flag,
    true,
    'Requests that are denied count. false: they consume nothing anywhere.',
    {
      reason: 'The plain name of STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT.',
    },
  ),
  LOCAL_CACHE_LOOK_AGAIN: honoured(
    duration({ positive: true }),
    500,
    'After this long, one request for a counter that is denied from memory asks the store again.',
    { reason: 'So that a refund, a reset or a raised limit elsewhere shows before the window ends.' },
  ),
  LIMIT_RESPONSE_HEADERS_STYLE: honoured(
    choice({ ratelimit: 'RateLimit', 'x-ratelimit': 'X-RateLimit' } as const),
    'RateLimit',
    'Names of the headers whose own variable is not set: `RateLimit-Limit` and so on, or `X-RateLimit-Limit` and so on.',
    { reason: 'Many clients know the second set.' },
  ),
  LIMIT_FIELDS_ENABLED: honoured(
    flag,
    false,
    'Headers `RateLimit` and `RateLimit-Policy`, which list every limit that applied, as the IETF drafts them.',
    { reason: 'The other headers describe one limit. Limits in shadow mode are not listed.' },
  ),
  LIMIT_WARNING_HEADER: honoured(
    headerName,
    'X-RateLimit-Warning',
    'Name of the header that tells how much of a limit is used, from its `warn_at` on.',
    { reason: 'Sent where a rule has a `warn_at`, whatever the other headers are.' },
  ),
  DENIAL_BODY: honoured(
    choice({ off: 'off', json: 'json', template: 'template' } as const),
    'off',
    'Body of the reply to a client that is denied: none, JSON with the limit and the seconds to wait, or a text of your own.',
    { reason: 'The reference has none.' },
  ),
  DENIAL_BODY_TEMPLATE: honoured(
    lines,
    '',
    `Text for DENIAL_BODY=template. Placeholders: ${denialBodyPlaceholders.map((name) => `\`{${name}}\``).join(', ')}.`,
    { reason: 'As above.' },
  ),
  DENIAL_BODY_CONTENT_TYPE: honoured(
    mediaType,
    'text/plain; charset=utf-8',
    'Content type for DENIAL_BODY=template.',
    {
      reason: 'As above.',
    },
  ),
  MAX_DESCRIPTORS: honoured(
    integer({ min: 1 }),
    1_024,
    'Descriptors of a request; more are INVALID_ARGUMENT.',
    {
      reason: 'Bounds the work of one call. Configuration of Envoy decides it, not its clients.',
    },
  ),
  MAX_ENTRIES: honoured(integer({ min: 1 }), 256, 'Entries of a descriptor; more are INVALID_ARGUMENT.', {
    reason: 'As above.',
  }),
};
