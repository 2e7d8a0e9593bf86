import type { CountersAnswer } from './counters-client.ts';
import type { Output } from './output.ts';

/** Prints the counters of a descriptor. @param text the descriptor, as it was asked for */
export function printCounters(
  text: string,
  { domain, found, rule, counters }: CountersAnswer,
  output: Output,
): void {
  output.out(`${domain}: ${text}`);
  output.out(
    `  ${rule === undefined ? (foundTexts[found] ?? found) : `rule ${rule}${found === 'rule' ? '' : `: ${found}`}`}`,
  );
  for (const counter of counters) {
    output.out(`  ${counter.limit}: ${levelText(counter)}`);
    output.out(`    ${counter.key}`);
  }
}

const foundTexts: Readonly<Record<string, string>> = {
  override: 'the limit of the request',
  unmatched: 'no rule matches',
  exempt: 'exempt: it is counted nowhere',
};

function levelText({
  before,
  used,
  remaining,
  seconds_until_reset: seconds,
  error,
}: CountersAnswer['counters'][number]): string {
  if (error !== undefined) return `not reached (${error.kind}): ${error.message}`;
  const changed = before === used ? `${used} used` : `${before} used before, ${used} now`;
  return `${changed}, ${remaining} left, resets in ${seconds} s`;
}
