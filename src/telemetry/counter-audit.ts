import { type CounterChange, type CounterReading, isFault } from '../domain/counter-report.ts';
import { textOf } from '../domain/octets.ts';
import type { Logger } from '../log.ts';
import { printable } from './printable.ts';

/**
 * Writes a line for each request that changed counters, none left out: who, what, and how they stood before and after. `warn`,
 * as somebody should know who was let through.
 */
export function createCounterAudit(log: Logger): (change: CounterChange) => void {
  return ({ peer, client, adjustment, report }) => {
    const { domain, entries, rule, counters } = report;
    const fields = {
      peer,
      client: client === undefined ? undefined : printable(client),
      operation: adjustment.kind,
      hits: adjustment.kind === 'grant' ? adjustment.hits : undefined,
      domain: printable(textOf(domain)),
      descriptor: entries.map(({ key, value }) => `${printable(textOf(key))}=${printable(textOf(value))}`),
      rule: rule === undefined ? 'override' : printable(rule),
      counters: counters.map(counterFields),
    };
    log.warn(fields, 'counters were changed');
  };
}

function counterFields({ limit, key, state }: CounterReading): object {
  if (isFault(state)) return { limit, key, error: state.fault };
  return { limit, key, before: state.before, after: state.used };
}
