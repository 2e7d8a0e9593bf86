import { type App, startApp } from '../app/app.ts';
import { systemClock } from '../domain/clock.ts';
import { createLogger, type Logger } from '../log.ts';
import { formatGoDuration } from '../settings/go-duration.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { DrainSettings, LogSettings } from '../settings/settings.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { printSettingIssues } from './print-setting-issues.ts';
import { readVersion } from './version.ts';

/** `weir serve`: serves until one of {@link stopSignals}, then drains; a second signal ends at once. */
export async function serve({ env, output }: CommandContext): Promise<number> {
  const read = readSettings(env);
  if ('errors' in read) return printSettingIssues(read, output);
  const { settings, warnings } = read;
  const log = createLogger(settings.log);
  const startLog = createStartLog(settings.log);
  startLog.info({ settings: settings.inForce }, 'settings in force');
  for (const { variable, message } of warnings) log.warn({ variable }, message);
  const stopped = untilStopped(log);
  let app: App;
  try {
    app = await startApp(settings, { clock: systemClock, log });
  } catch (err) {
    log.fatal({ err }, 'cannot start');
    return exitCodes.broken;
  }
  startLog.info({ version: readVersion(), ...app.addresses }, 'started');
  const signal = await stopped.first;
  logStopping(log, signal, settings.drain);
  const outcome = await Promise.race([
    app.stop().then(() => 'drained'),
    stopped.second.then(() => 'a second signal'),
    // However the parts behave, the process ends in time.
    deadline(settings.drain.timeoutMs).then(() => 'the drain deadline'),
  ]);
  log.info({ outcome }, 'stopped');
  return exitCodes.ok;
}

/** What was started, with which settings, is in the log whatever LOG_LEVEL is: these two lines are few and needed. */
function createStartLog(settings: LogSettings): Logger {
  return createLogger({ ...settings, level: 'info' });
}

/** Whoever presses Ctrl-C should see why nothing ends yet. */
function logStopping(log: Logger, signal: NodeJS.Signals, { delayMs, timeoutMs }: DrainSettings): void {
  const fields = {
    signal,
    drainDelay: formatGoDuration(delayMs),
    drainDeadline: formatGoDuration(timeoutMs),
  };
  log.info(fields, 'stopping: serves on for the drain delay; a second signal ends it at once');
}

/** SIGHUP is the end of the terminal, and with some supervisors the word for "stop"; nothing is reloaded by it. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

function untilStopped(log: Logger): { first: Promise<NodeJS.Signals>; second: Promise<void> } {
  const first = Promise.withResolvers<NodeJS.Signals>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      count += 1;
      if (count === 1) first.resolve(signal);
      else second.resolve();
    });
  }
  // No fault of one request or connection may end the process; each place that can meet one has its own answer.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a fault that nobody expected'));
  process.on('uncaughtException', (err) => log.error({ err }, 'a fault that nobody expected'));
  return { first: first.promise, second: second.promise };
}

function deadline(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
