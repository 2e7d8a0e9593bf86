import type { RemoteSourceEvent } from '../../config/remote/remote-source.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { Sampler } from '../../log-sampler.ts';
import type { SourceKind } from '../../settings/source-settings.ts';
import { printable } from '../../telemetry/printable.ts';

export interface RemoteLogOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly source: SourceKind;
}

/** What does not change is told of once in this time: a server that stays away is no news at each try. */
const intervalMs = 60_000;

/** How it goes with a source that is asked for files elsewhere. What is wrong with the files, the loader's log says. */
export function createRemoteLog(options: RemoteLogOptions): (event: RemoteSourceEvent) => void {
  const { clock, log, source } = options;
  const sampler = new Sampler({ intervalMs, maxSubjects: 20 });
  return (event) => {
    // Another reason is news.
    const subject = event.kind === 'disconnected' ? `${event.kind} ${event.reason}` : event.kind;
    const line = sampler.take(subject, clock.monotonic());
    if (line === undefined) return;
    if (event.kind === 'connected') log.info({ source, ...line }, 'the source of rules can be read');
    else if (event.kind === 'delivery-failed') {
      log.error({ source, err: event.error, ...line }, 'reading a source of rules failed; it is tried again');
    } else {
      const reason = printable(event.reason);
      const retryMs = Math.round(event.retryMs);
      log.warn({ source, reason, retryMs, ...line }, 'a source of rules cannot be read; it is tried again');
    }
  };
}
