import { type App, startApp } from '../app/app.ts';
import { systemClock } from '../domain/clock.ts';
import { createLogger, type Logger } from '../log.ts';
import { describeSettings, readSettings } from '../settings/read-settings.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { printSettingIssues } from './print-setting-issues.ts';

/** `weir serve`: serves until SIGTERM or SIGINT, then drains; a second signal ends at once. */
export async function serve({ env, output }: CommandContext): Promise<number> {
  const read = readSettings(env);
  if ('errors' in read) return printSettingIssues([...read.warnings, ...read.errors], output);
  const { settings, warnings } = read;
  const log = createLogger(settings.log);
  for (const { variable, message } of warnings) log.warn({ variable }, message);
  log.info({ settings: describeSettings(settings) }, 'settings in force');
  const stopped = untilStopped(log);
  let app: App;
  try {
    app = await startApp(settings, { clock: systemClock, log });
  } catch (err) {
    log.fatal({ err }, 'cannot start');
    return exitCodes.broken;
  }
  log.info({ ...app.addresses }, 'started');
  const signal = await stopped.first;
  log.info({ signal }, 'stopping');
  const outcome = await Promise.race([
    app.stop().then(() => 'drained'),
    stopped.second.then(() => 'a second signal'),
    // However the parts behave, the process ends in time.
    deadline(settings.drain.timeoutMs).then(() => 'the drain deadline'),
  ]);
  log.info({ outcome }, 'stopped');
  return exitCodes.ok;
}

function untilStopped(log: Logger): { first: Promise<NodeJS.Signals>; second: Promise<void> } {
  const first = Promise.withResolvers<NodeJS.Signals>();
  const second = Promise.withResolvers<void>();
  let count = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
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
