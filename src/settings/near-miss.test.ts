import { describe, expect, it } from 'vitest';
import { nearMiss } from './near-miss.ts';
import { isOneTypo } from './one-typo.ts';

describe('isOneTypo', () => {
  it.each([
    ['LOG_LEVEL', 'LOG_LEVL'],
    ['LOG_LEVEL', 'LOG_LEVELS'],
    ['LOG_LEVEL', 'LOG_LEVAL'],
    ['LOG_LEVEL', 'LOG_LEVLE'],
    ['LOG_LEVEL', 'OG_LEVEL'],
    ['LOG_LEVEL', 'XLOG_LEVEL'],
  ])('%s and %s', (a, b) => {
    expect(isOneTypo(a, b)).toBe(true);
    expect(isOneTypo(b, a)).toBe(true);
  });

  it.each([
    ['LOG_LEVEL', 'LOG_LEVEL'],
    ['LOG_LEVEL', 'LOG_LABEL'],
    ['LOG_LEVEL', 'LOGLEVELS'],
    ['LOG_LEVEL', 'LOG_LEVELLL'],
    ['ab', 'cd'],
  ])('not %s and %s', (a, b) => {
    expect(isOneTypo(a, b)).toBe(false);
    expect(isOneTypo(b, a)).toBe(false);
  });
});

describe('nearMiss', () => {
  it.each([
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['RUNTIME_IGNORE_DOTFILES', 'RUNTIME_IGNOREDOTFILES'],
    ['REDIS_PER_SECOND', 'REDIS_PERSECOND'],
    ['shadow_mode', 'SHADOW_MODE'],
    ['WEIR_STORE_TIMEOUT', 'STORE_TIMEOUT'],
    ['WEIR_PORT', 'PORT'],
    ['DRAIN_DELEY', 'DRAIN_DELAY'],
  ])('%s: did you mean %s?', (name, meant) => {
    expect(nearMiss(name, 'x')).toEqual({
      variable: name,
      message: `${name} is not known and has no effect. Did you mean ${meant}?`,
    });
  });

  it.each([
    ['PORT', '1'],
    ['DOG_STATSD_MOGRIFIER_A_PATTERN', 'x'],
    ['PATH', '/bin'],
    ['HOSTNAME', 'pod-1'],
    ['HOSTS', 'x'],
    ['GRPC_GO_LOG', 'info'],
    ['REDIS_PORT', 'tcp://10.0.0.1:6379'],
    ['REDIS_SERVICE_HOST', '10.0.0.1'],
    ['WEIR_PORT', 'tcp://10.0.0.1:8081'],
    ['WEIR_PORT_8081_TCP', 'tcp://10.0.0.1:8081'],
    ['WEIR_SERVICE_PORT', '8081'],
    ['OTEL_SERVICE_NAME', 'x'],
    ['constructor', 'x'],
    ['__proto__', 'x'],
  ])('%s=%s is nothing to speak of', (name, value) => {
    expect(nearMiss(name, value)).toBeUndefined();
  });
});
