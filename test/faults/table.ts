import type { Fault, FaultReport } from './fault.ts';
import type { Figures } from './figures.ts';

interface Column {
  readonly title: string;
  readonly isNumber: boolean;
  cell(report: FaultReport, fault: Fault): string;
}

const text = (title: string, cell: Column['cell']): Column => ({ title, isNumber: false, cell });
const number = (title: string, cell: Column['cell']): Column => ({ title, isNumber: true, cell });

/** Of the table in docs/reliability.md. */
export const columns: readonly Column[] = [
  text('Case', (_, { id }) => id),
  text('What happens', (_, { title }) => title),
  number('p50, ms', ({ before, during }) => both(before, during, ({ p50 }) => p50.toFixed(1))),
  number('p99, ms', ({ before, during }) => both(before, during, ({ p99 }) => p99.toFixed(1))),
  number('Degraded, %', ({ during }) => (during === undefined ? '' : (100 * during.degraded).toFixed(1))),
  number('RSS, MiB', ({ rss }) => (rss === undefined ? '' : rss.map((mib) => mib.toFixed(0)).join(' → '))),
  number('Said after, s', ({ saidSeconds }) => saidSeconds?.toFixed(2) ?? ''),
  number('Recovered in, s', ({ recoverySeconds }) => recoverySeconds?.toFixed(2) ?? ''),
  number('Doubled', ({ ledger }) => String(ledger?.doubled ?? '')),
  number('Counted, not told', ({ ledger }) => String(ledger?.unanswered ?? '')),
  text('Notes', ({ note, broken }) => (broken.length === 0 ? note : `BROKEN: ${broken.join('; ')}. ${note}`)),
];

/** The cells of one row. */
export function rowOf(fault: Fault, report: FaultReport): string[] {
  return columns.map(({ cell }) => cell(report, fault));
}

/** Before and during. */
function both(
  before: Figures | undefined,
  during: Figures | undefined,
  show: (figures: Figures) => string,
): string {
  if (before === undefined || during === undefined) return '';
  return `${show(before)} → ${show(during)}`;
}
