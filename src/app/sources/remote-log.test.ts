import { expect, it } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { RemoteSourceEvent } from '../../config/remote/remote-source.ts';
import { createLogger } from '../../log.ts';
import { createRemoteLog } from './remote-log.ts';

function logOf(events: readonly (RemoteSourceEvent | { readonly passMs: number })[]) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const log = createLogger({ level: 'info', format: 'json', destination });
  const clock = fakeClock();
  const write = createRemoteLog({ clock, log, source: 'etcd' });
  for (const event of events) {
    if ('passMs' in event) clock.advance(event.passMs);
    else write(event);
  }
  return lines;
}

const away = (reason: string): RemoteSourceEvent => ({ kind: 'disconnected', reason, retryMs: 1_000.4 });

it('tells of a source that stays away once a minute for each reason', () => {
  const lines = logOf([
    away('refused'),
    away('refused'),
    away('silent'),
    { passMs: 60_000 },
    away('refused'),
  ]);
  expect(lines).toMatchObject([
    { level: 'warning', source: 'etcd', reason: 'refused', retryMs: 1_000, suppressed: 0 },
    { reason: 'silent' },
    { reason: 'refused', suppressed: 1 },
  ]);
});

it('writes at most twenty lines a minute, whatever a server says, and not all of it', () => {
  const lines = logOf(Array.from({ length: 100 }, (_, index) => away(`${index} ${'x'.repeat(5_000)}\n`)));
  expect(lines).toHaveLength(20);
  expect(String(lines[0]?.['reason']).length).toBeLessThan(500);
});

it('tells when it can be read, and what was thrown', () => {
  const lines = logOf([{ kind: 'connected' }, { kind: 'delivery-failed', error: new Error('out of order') }]);
  expect(lines).toMatchObject([
    { level: 'info', '@message': 'the source of rules can be read' },
    { level: 'error', '@message': 'reading a source of rules failed; it is tried again' },
  ]);
});
