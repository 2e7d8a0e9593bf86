import { expect, it } from 'vitest';
import type { XdsSourceEvent } from '../../config/xds/xds-source.ts';
import { createLogger } from '../../log.ts';
import { createXdsLog } from './xds-log.ts';

function logOf(events: readonly (XdsSourceEvent | { readonly passMs: number })[]) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const log = createLogger({ level: 'info', format: 'json', destination });
  let now = 0;
  const write = createXdsLog({
    clock: { now: () => 0, monotonic: () => now },
    log,
    address: 'control-plane:18001',
  });
  for (const event of events) {
    if ('passMs' in event) now += event.passMs;
    else write(event);
  }
  return lines;
}

const refused = (reason: string): XdsSourceEvent => ({
  kind: 'disconnected',
  wasConnected: false,
  reason,
  retryMs: 3_000,
});

it('tells of a server that stays away once a minute for each reason', () => {
  const lines = logOf([
    refused('ECONNREFUSED'),
    { passMs: 3_000 },
    refused('ECONNREFUSED'),
    refused('no connection within 10 s'),
    { passMs: 60_000 },
    refused('ECONNREFUSED'),
  ]);
  expect(lines.map(({ reason, suppressed }) => [reason, suppressed])).toEqual([
    ['ECONNREFUSED', 0],
    ['no connection within 10 s', 0],
    ['ECONNREFUSED', 1],
  ]);
});

it('names the server, and what happens next', () => {
  const [line] = logOf([{ kind: 'disconnected', wasConnected: true, reason: 'gone', retryMs: 9_876.5 }]);
  expect(line).toMatchObject({
    level: 'warning',
    address: 'control-plane:18001',
    reason: 'gone',
    retryMs: 9_877,
    '@message': 'the stream of the xDS server has ended; it is opened again',
  });
});

it('makes what the server says fit for a log', () => {
  const [line] = logOf([{ kind: 'refused', version: 'a\u001b[2J', problems: ['one', 'two'] }]);
  expect(line).toMatchObject({ level: 'error', problems: 2 });
  expect(String(line?.['version'])).not.toContain('\u001b');
});

it('does not tell of each acknowledgement', () => {
  expect(logOf([{ kind: 'accepted', version: '1' }])).toEqual([]);
});
