import { countText, plural } from './in-words.ts';
import type { ConfigurationReport, LogReport, SimulationReport } from './report.ts';

/** How much of the log was replayed. */
export function linesText({ lines, requests, linesWithoutRequest }: LogReport): string {
  const others = linesWithoutRequest === 0 ? '' : `; ${countText(linesWithoutRequest)} ask for no decision`;
  return `${plural(requests, 'request')} of ${plural(lines, 'line')}${others}`;
}

/** What a reader of the figures must know: sentences, none where nothing is special. */
export function remarks({ log, configurations }: SimulationReport): readonly string[] {
  return [
    ...(log.badLines > 0 ? [`${plural(log.badLines, 'line')} could not be used.`] : []),
    ...(log.lateRequests > 0
      ? [
          `${plural(log.lateRequests, 'request')} came later than one with a later time, by ${log.mostSecondsLate} s at ` +
            'most, and counted at that time. Sort the log by time to be exact.',
        ]
      : []),
    ...configurations.flatMap((one) => remarksOn(one, configurations.length > 1 ? `${one.path}: ` : '')),
  ];
}

function remarksOn(
  { failed, failures, evictedCounters, descriptors }: ConfigurationReport,
  of: string,
): readonly string[] {
  const codes = Object.entries(failures).map(([code, count]) => `${code} ${countText(count)}`);
  return [
    ...(failed > 0
      ? [`${of}${plural(failed, 'request')} would have been refused with an error: ${codes.join(', ')}.`]
      : []),
    ...(descriptors.unknownDomain > 0
      ? [`${of}${plural(descriptors.unknownDomain, 'descriptor')} had a domain that is not configured.`]
      : []),
    ...(descriptors.withoutRule > 0
      ? [`${of}${plural(descriptors.withoutRule, 'descriptor')} met no rule.`]
      : []),
    ...(descriptors.exempt > 0
      ? [`${of}${plural(descriptors.exempt, 'descriptor')} came in requests that are exempt.`]
      : []),
    ...(evictedCounters > 0
      ? [
          `${of}${plural(evictedCounters, 'counter')} found no room, so some requests were allowed that would be denied. ` +
            'Raise --max-counters.',
        ]
      : []),
  ];
}
