import type { RemoteSourceEvent } from '../../../src/config/remote/remote-source.ts';
import type { RetryDelayOptions } from '../../../src/config/retry-delay.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** A file with one domain and one limit in each minute; broken without a limit. */
export function rulesFile(domain: string, limit: number | undefined): string {
  if (limit === undefined) return 'domain: [';
  return `domain: ${domain}\ndescriptors:\n  - key: ip\n    rate_limit: {unit: minute, requests_per_unit: ${limit}}\n`;
}

/** Tries again at once. */
export const promptly: RetryDelayOptions = { initialMs: 10, maxMs: 50, jitter: 0.5 };

/** Why a source could not be read, the last time. */
export function reasonIn(events: readonly RemoteSourceEvent[]): Promise<string> {
  return waitUntil('a reason', () => {
    const last = events.findLast(({ kind }) => kind === 'disconnected');
    return last?.kind === 'disconnected' && last.reason;
  });
}
