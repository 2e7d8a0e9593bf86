import { join } from 'node:path/posix';
import { type Checks, createChecks } from './checks.ts';
import { consulSettings } from './consul-settings.ts';
import { debugSettings } from './debug-settings.ts';
import { deepFreeze } from './deep-freeze.ts';
import { etcdSettings } from './etcd-settings.ts';
import { httpSourceSettings } from './http-source-settings.ts';
import { healthSettings, limiterSettings } from './limiter-settings.ts';
import { type Environment, readValues } from './read-values.ts';
import { remoteSettings, snapshotDirectory } from './remote-settings.ts';
import { checkHashKey, sensitiveSettings } from './sensitive-settings.ts';
import {
  drainSettings,
  grpcSettings,
  httpSettings,
  logSettings,
  metricsSettings,
} from './server-settings.ts';
import type { ConfigSettings, RulesSettings, Settings, SettingsResult } from './settings.ts';
import { storeSettings } from './store-settings.ts';
import { tracingSettings } from './tracing-settings.ts';
import { xdsSettings } from './xds-settings.ts';

/**
 * Reads all settings from an environment: every problem at once, or settings that are complete and deeply frozen. Pure;
 * no file is looked at. Variables that are empty count as not set; those that are not known belong to others.
 */
export function readSettings(env: Environment): SettingsResult {
  const read = readValues(env);
  const errors = [...read.errors];
  const warnings = [...read.warnings];
  const settings = settingsOf(createChecks(read, errors, warnings));
  return deepFreeze(errors.length > 0 ? { errors, warnings } : { settings, warnings });
}

function settingsOf(checks: Checks): Settings {
  const store = storeSettings(checks);
  const groups = {
    http: httpSettings(checks),
    grpc: grpcSettings(checks),
    debug: debugSettings(checks),
    metrics: metricsSettings(checks),
    tracing: tracingSettings(checks),
    log: logSettings(checks),
    config: configSettings(checks),
    store,
    limiter: limiterSettings(checks),
    health: healthSettings(checks, store),
    drain: drainSettings(checks),
  };
  checkHashKey(checks, groups.config.sensitive);
  return { ...groups, inForce: checks.inForce() };
}

function configSettings(checks: Checks): ConfigSettings {
  return {
    ...rulesSettings(checks),
    sources: checks.values.CONFIG_TYPE,
    xds: xdsSettings(checks),
    http: httpSourceSettings(checks),
    etcd: etcdSettings(checks),
    consul: consulSettings(checks),
    remote: remoteSettings(checks),
    snapshotDirectory: snapshotDirectory(checks),
  };
}

export function rulesSettings(checks: Checks): RulesSettings {
  const { values } = checks;
  const root = values.RUNTIME_ROOT;
  return {
    root,
    directory: join(root, values.RUNTIME_SUBDIRECTORY, values.RUNTIME_APPDIRECTORY),
    ignoreDotFiles: values.RUNTIME_IGNOREDOTFILES,
    mergeDomains: values.MERGE_DOMAIN_CONFIG,
    sensitive: sensitiveSettings(checks),
  };
}
