import type { Output } from './output.ts';
import type { DescriptorStatus, RateLimitResponse } from './rate-limit-response.ts';

/** A response for people: the decision, a line for each descriptor, and what Envoy would send to a client. */
export function printResponse(
  descriptors: readonly string[],
  response: RateLimitResponse,
  output: Output,
): void {
  output.out(response.overallCode ?? 'UNKNOWN');
  for (const [index, status] of (response.statuses ?? []).entries()) {
    output.out(`  ${descriptors[index]}: ${status.code ?? 'UNKNOWN'}, ${describeLimit(status)}`);
  }
  for (const { key = '', value = '' } of response.responseHeadersToAdd ?? [])
    output.out(`  ${key}: ${value}`);
  const body = Buffer.from(response.rawBody ?? '', 'base64').toString();
  if (body !== '') output.out(`\n${body}`);
}

function describeLimit({ currentLimit, limitRemaining = 0, durationUntilReset }: DescriptorStatus): string {
  if (currentLimit === undefined) return limitRemaining > 0 ? 'unlimited' : 'no limit';
  const { unit, requestsPerUnit = 0 } = currentLimit;
  const window = unit === undefined || unit === 'UNKNOWN' ? 'window' : unit.toLowerCase();
  return (
    `${limitRemaining} of ${requestsPerUnit} per ${window} left, ` +
    `anew in ${durationUntilReset?.seconds ?? 0} s`
  );
}
