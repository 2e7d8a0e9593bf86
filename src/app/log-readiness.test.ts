import { expect, it } from 'vitest';
import { createHealth, type HealthEvent } from '../health.ts';
import { createLogger } from '../log.ts';
import { logReadiness } from './log-readiness.ts';

it('logs each change of readiness, and what is down', () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const health = createHealth({ startsWithoutConfig: false, needsDomain: true, needsConnection: true });
  logReadiness(health, createLogger({ level: 'info', format: 'json', destination }));
  const events: HealthEvent[] = [
    { kind: 'store-answered' }, // still without a configuration
    { kind: 'config-loaded', domains: 1 },
    { kind: 'config-loaded', domains: 2 }, // no change
    { kind: 'store-connection', isConnected: false },
    { kind: 'config-loaded', domains: 0 }, // no change either
    { kind: 'config-loaded', domains: 1 },
    { kind: 'store-connection', isConnected: true },
    { kind: 'stopping' },
  ];
  for (const event of events) health.report(event);
  expect(lines.map(({ level, down, '@message': message }) => [level, message, down])).toEqual([
    ['info', 'ready', undefined],
    ['warning', 'not ready', ['store']],
    ['info', 'ready', undefined],
    ['info', 'not ready', ['running']],
  ]);
});
