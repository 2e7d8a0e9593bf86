import { type Checks, createChecks } from './checks.ts';
import { limiterSettings } from './limiter-settings.ts';
import { rulesSettings } from './read-settings.ts';
import { type Environment, readValues } from './read-values.ts';
import { secretSource } from './secret-source.ts';
import { httpSettings } from './server-settings.ts';
import type {
  DebugSettings,
  HttpSettings,
  LimiterSettings,
  RulesSettings,
  SettingIssue,
} from './settings.ts';
import type { VariableName } from './variables.ts';

/** Some settings, or what is wrong with the variables that they are made of. */
export type GroupResult<T> = { readonly settings: T } | { readonly errors: readonly SettingIssue[] };

/** Where the rules are and how they are read, for commands that do not serve: no other variable is looked at. */
export function readRulesSettings(env: Environment): GroupResult<RulesSettings> {
  return readGroup(env, configVariables, rulesSettings);
}

const configVariables: readonly VariableName[] = [
  'RUNTIME_ROOT',
  'RUNTIME_SUBDIRECTORY',
  'RUNTIME_APPDIRECTORY',
  'RUNTIME_IGNOREDOTFILES',
  'MERGE_DOMAIN_CONFIG',
  'SENSITIVE_VALUES',
  'SENSITIVE_HASH_KEY',
  'SENSITIVE_HASH_KEY_FILE',
];

/** What decides which requests are denied, for a command that decides without serving; no other variable is looked at. */
export function readDecisionSettings(env: Environment): GroupResult<DecisionSettings> {
  return readGroup(env, decisionVariables, limiterSettings);
}

type DecisionSettings = Pick<LimiterSettings, 'countDenied' | 'quotaMode' | 'nearLimitRatio' | 'bounds'>;

const decisionVariables: readonly VariableName[] = [
  'COUNT_DENIED',
  'STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT',
  'QUOTA_MODE',
  'NEAR_LIMIT_RATIO',
  'MAX_DESCRIPTORS',
  'MAX_ENTRIES',
];

/** Where the HTTP listener of a service with this environment is; no other variable is looked at. */
export function readHttpAddress(env: Environment): GroupResult<Pick<HttpSettings, 'host' | 'port'>> {
  return readGroup(env, ['HOST', 'PORT'], httpSettings);
}

/** The token of the debug listener of a service with this environment; no other variable is looked at. */
export function readDebugToken(env: Environment): GroupResult<Pick<DebugSettings, 'token'>> {
  return readGroup(env, ['DEBUG_TOKEN', 'DEBUG_TOKEN_FILE'], (checks) => ({
    token: secretSource(checks, 'DEBUG_TOKEN'),
  }));
}

function readGroup<T>(
  env: Environment,
  names: readonly VariableName[],
  settingsOf: (checks: Checks) => T,
): GroupResult<T> {
  const read = readValues(Object.fromEntries(names.map((name) => [name, env[name]])));
  const errors = [...read.errors];
  const settings = settingsOf(createChecks(read, errors, []));
  return errors.length > 0 ? { errors } : { settings };
}
