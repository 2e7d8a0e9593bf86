import type { Checks } from './checks.ts';
import { redisSettings } from './redis-settings.ts';
import type { StoreSettings } from './settings.ts';
import { type VariableName, variableNames, variableOf } from './variables.ts';

export function storeSettings(checks: Checks): StoreSettings {
  const kind = storeKind(checks);
  checks.holds('BACKEND_TYPE', kind);
  return kind === 'redis' ? redisStore(checks) : memoryStore(checks);
}

function storeKind(checks: Checks): 'memory' | 'redis' {
  const { values, isSet } = checks;
  if (!isSet('BACKEND_TYPE')) return isSet('REDIS_URL') ? 'redis' : 'memory';
  if (values.BACKEND_TYPE === 'redis') return 'redis';
  if (isSet('REDIS_URL') && values.BACKEND_TYPE === 'memory') {
    checks.fail('BACKEND_TYPE', 'is memory, which contradicts REDIS_URL. Remove one of them.');
  }
  return 'memory';
}

function memoryStore(checks: Checks): StoreSettings {
  const explicit = checks.isSet('BACKEND_TYPE');
  if (!explicit && checks.isSound('BACKEND_TYPE') && checks.isSound('REDIS_URL')) {
    checks.warn(
      'REDIS_URL',
      'is not set, so that counters live in the memory of this process: each replica counts alone, and a restart forgets. Set REDIS_URL, or BACKEND_TYPE=memory if that is meant.',
    );
  }
  checks.unused([...redisVariables('REDIS_'), 'EXPIRATION_JITTER_MAX_SECONDS'], 'counters live in memory');
  return { kind: 'memory', explicit, maxCounters: checks.values.MEMORY_STORE_MAX_COUNTERS };
}

function redisStore(checks: Checks): StoreSettings {
  const { values } = checks;
  checks.unused(['MEMORY_STORE_MAX_COUNTERS'], 'counters live in Redis');
  if (!values.REDIS_PERSECOND)
    checks.unused(redisVariables('REDIS_PERSECOND_'), 'REDIS_PERSECOND is not true');
  return {
    kind: 'redis',
    ...redisSettings(checks),
    expirationJitterMaxSeconds: values.EXPIRATION_JITTER_MAX_SECONDS,
  };
}

/** Those that have a meaning; the others have their own warning. */
function redisVariables(prefix: string): readonly VariableName[] {
  return variableNames.filter((name) => name.startsWith(prefix) && variableOf(name).class === 'honoured');
}
