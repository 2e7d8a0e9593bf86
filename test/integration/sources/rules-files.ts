import type { RetryDelayOptions } from '../../../src/config/retry-delay.ts';

/** A file with one domain and one limit in each minute; broken without a limit. */
export function rulesFile(domain: string, limit: number | undefined): string {
  if (limit === undefined) return 'domain: [';
  return `domain: ${domain}\ndescriptors:\n  - key: ip\n    rate_limit: {unit: minute, requests_per_unit: ${limit}}\n`;
}

/** Tries again at once. */
export const promptly: RetryDelayOptions = { initialMs: 10, maxMs: 50, jitter: 0.5 };
