import type { DescriptorStatus, Header } from './decision.ts';
import { listText } from './limit-text.ts';

/**
 * `RateLimit` and `RateLimit-Policy` with every limit that applied, in order (draft-ietf-httpapi-ratelimit-headers, lists of
 * structured fields, RFC 9651): what each allows (`q`) in how many seconds (`w`), what remains (`r`), and the seconds to the
 * reset (`t`). Names have no characters that would have to be escaped (`parse-rate-limit.ts`).
 */
export function limitFields(statuses: readonly DescriptorStatus[]): readonly Header[] {
  const policies: string[] = [];
  const limits: string[] = [];
  for (const { currentLimit, limitRemaining, secondsUntilReset } of statuses) {
    if (currentLimit === undefined) continue;
    // Without a name, what it allows stands for it.
    const name = `"${currentLimit.name || listText(currentLimit)}"`;
    policies.push(`${name};q=${currentLimit.requestsPerUnit};w=${currentLimit.windowSeconds}`);
    limits.push(`${name};r=${limitRemaining};t=${secondsUntilReset}`);
  }
  if (limits.length === 0) return [];
  return [
    { name: 'RateLimit-Policy', value: policies.join(', ') },
    { name: 'RateLimit', value: limits.join(', ') },
  ];
}
