import { type CounterReading, type CounterReport, isFault } from '../../domain/counter-report.ts';
import { textOf } from '../../domain/octets.ts';

/** The answer of `/counters/...`, with a newline at its end. */
export function writeCounterReport({ domain, entries, found, rule, counters }: CounterReport): string {
  const descriptor = {
    entries: entries.map(({ key, value }) => ({ key: textOf(key), value: textOf(value) })),
  };
  const answer = { domain: textOf(domain), descriptor, found, rule, counters: counters.map(counterJson) };
  return `${JSON.stringify(answer)}\n`;
}

function counterJson({ limit, key, state }: CounterReading): object {
  if (isFault(state)) return { limit, key, error: { kind: state.fault, message: state.message } };
  const { before, used, remaining, secondsUntilReset } = state;
  return { limit, key, before, used, remaining, seconds_until_reset: secondsUntilReset };
}
