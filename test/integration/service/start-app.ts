import { startApp } from '../../../src/app/app.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createLogger } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/read-settings.ts';

// Starts the application of the environment, and ends when nothing is left to do, which is never if it starts.

const read = readSettings(process.env);
if ('errors' in read) throw new Error(JSON.stringify(read.errors));
const { settings } = read;
await startApp(settings, { clock: systemClock, log: createLogger(settings.log) }).catch((error: Error) =>
  console.log(error.message),
);
