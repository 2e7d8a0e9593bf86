import { describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.ts';
import type { LimiterSettings } from './settings.ts';

const memory = { BACKEND_TYPE: 'memory' };

function limiterOf(env: Readonly<Record<string, string>>): LimiterSettings {
  const result = readSettings({ ...memory, ...env });
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return result.settings.limiter;
}

function errorsOf(env: Readonly<Record<string, string>>) {
  const result = readSettings({ ...memory, ...env });
  return 'errors' in result ? result.errors.map(({ message }) => message) : [];
}

function warningsOf(env: Readonly<Record<string, string>>) {
  return readSettings({ ...memory, ...env }).warnings.map(({ variable }) => variable);
}

describe('whether a denied request counts', () => {
  it.each([
    [undefined, undefined, true],
    ['true', undefined, true],
    ['false', undefined, false],
    [undefined, 'false', true],
    [undefined, 'true', false],
    ['true', 'false', true],
    ['false', 'true', false],
  ])('COUNT_DENIED=%s and STOP_...=%s: %s', (count, stop, counts) => {
    const env = {
      ...(count === undefined ? {} : { COUNT_DENIED: count }),
      ...(stop === undefined ? {} : { STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: stop }),
    };
    expect(limiterOf(env)).toMatchObject({ countDenied: counts });
    expect(limiterOf(env).denyCache === undefined).toBe(!counts);
  });

  it.each(['true', 'false'])('%s for both is a contradiction', (value) => {
    const env = { COUNT_DENIED: value, STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT: value };
    expect(errorsOf(env)).toEqual([
      'COUNT_DENIED contradicts STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT. Remove one of them.',
    ]);
  });
});

describe('the local deny cache', () => {
  it('is on unless its size is 0', () => {
    expect(limiterOf({}).denyCache).toEqual({ maxBytes: 4_194_304, lookAgainMs: 500 });
    expect(limiterOf({ LOCAL_CACHE_SIZE_IN_BYTES: '1000', LOCAL_CACHE_LOOK_AGAIN: '2s' }).denyCache).toEqual({
      maxBytes: 1_000,
      lookAgainMs: 2_000,
    });
    expect(limiterOf({ LOCAL_CACHE_SIZE_IN_BYTES: '0' }).denyCache).toBeUndefined();
  });

  it.each<[Readonly<Record<string, string>>, string[]]>([
    [{ COUNT_DENIED: 'false' }, []],
    [{ COUNT_DENIED: 'false', LOCAL_CACHE_SIZE_IN_BYTES: '0' }, []],
    [{ COUNT_DENIED: 'false', LOCAL_CACHE_SIZE_IN_BYTES: '9' }, ['LOCAL_CACHE_SIZE_IN_BYTES']],
    [{ LOCAL_CACHE_SIZE_IN_BYTES: '0', LOCAL_CACHE_LOOK_AGAIN: '1s' }, ['LOCAL_CACHE_LOOK_AGAIN']],
  ])('with %j, %j are set in vain', (env, names) => {
    expect(warningsOf(env)).toEqual(names);
  });
});

describe('response headers', () => {
  const on = { LIMIT_RESPONSE_HEADERS_ENABLED: 'true' };

  it.each<[string, Readonly<Record<string, string>>, LimiterSettings['responseHeaders']]>([
    ['off by default', {}, undefined],
    ['off', { LIMIT_RESPONSE_HEADERS_ENABLED: 'false' }, undefined],
    ['on', on, { limit: 'RateLimit-Limit', remaining: 'RateLimit-Remaining', reset: 'RateLimit-Reset' }],
    [
      'the other set',
      { ...on, LIMIT_RESPONSE_HEADERS_STYLE: 'x-ratelimit' },
      { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' },
    ],
    [
      'the other set and a name of its own',
      { ...on, LIMIT_RESPONSE_HEADERS_STYLE: 'X-RateLimit', LIMIT_RESET_HEADER: 'x-calls-renew' },
      { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'x-calls-renew' },
    ],
  ])('%s', (_, env, names) => {
    expect(limiterOf(env).responseHeaders).toEqual(names);
  });

  it.each([
    ['LIMIT_LIMIT_HEADER', 'X Limit', 'must be a header name'],
    ['LIMIT_REMAINING_HEADER', 'ratelimit-limit', 'needs a name of its own'],
    ['LIMIT_RESET_HEADER', 'retry-after', 'needs a name of its own'],
  ])('%s=%s is refused', (name, value, message) => {
    expect(errorsOf({ ...on, [name]: value })).toEqual([expect.stringContaining(`${name} ${message}`)]);
  });

  it('have names while they are off, too, since /check always gives them', () => {
    const env = { LIMIT_RESPONSE_HEADERS_STYLE: 'x-ratelimit', LIMIT_LIMIT_HEADER: 'x' };
    expect(warningsOf(env)).toEqual([]);
    expect(readSettings({ ...memory, ...env })).toMatchObject({
      settings: {
        http: {
          limitHeaders: { limit: 'x', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' },
        },
      },
    });
  });
});

describe('the body of a denial', () => {
  const template = { DENIAL_BODY: 'template' };

  it.each<[Readonly<Record<string, string>>, LimiterSettings['denialBody']]>([
    [{}, undefined],
    [{ DENIAL_BODY: 'off' }, undefined],
    [{ DENIAL_BODY: 'json' }, { kind: 'json' }],
    [
      { ...template, DENIAL_BODY_TEMPLATE: 'wait {retry_after} s\n' },
      { kind: 'template', template: 'wait {retry_after} s\n', contentType: 'text/plain; charset=utf-8' },
    ],
    [
      {
        ...template,
        DENIAL_BODY_TEMPLATE: '{"a":{"limit":{limit},"of":"{name}"},"b":{}}',
        DENIAL_BODY_CONTENT_TYPE: 'application/json',
      },
      {
        kind: 'template',
        template: '{"a":{"limit":{limit},"of":"{name}"},"b":{}}',
        contentType: 'application/json',
      },
    ],
  ])('%j', (env, body) => {
    expect(limiterOf(env).denialBody).toEqual(body);
  });

  it.each<[Readonly<Record<string, string>>, string]>([
    [template, 'DENIAL_BODY_TEMPLATE must hold the text'],
    [{ ...template, DENIAL_BODY_TEMPLATE: '{limit} {reset_at}' }, 'the placeholder {reset_at}'],
    [{ ...template, DENIAL_BODY_TEMPLATE: 'x', DENIAL_BODY_CONTENT_TYPE: 'json' }, 'must be a media type'],
    [{ DENIAL_BODY: 'yes' }, 'one of off, json, template'],
  ])('%j is refused', (env, message) => {
    expect(errorsOf(env)).toEqual([expect.stringContaining(message)]);
  });

  it('whose text is set while it is not used is warned about', () => {
    expect(warningsOf({ DENIAL_BODY: 'json', DENIAL_BODY_TEMPLATE: 'x' })).toEqual(['DENIAL_BODY_TEMPLATE']);
  });
});
