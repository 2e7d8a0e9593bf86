import type {
  CounterChange,
  CounterOperation,
  CounterQuery,
  CounterReport,
} from '../domain/counter-report.ts';
import type { Failure } from '../domain/decision.ts';

/** What the edges need to show counters to people and to have them changed. */
export interface CounterAdministration {
  /** Resolves always. */
  readonly administer: (query: CounterQuery, operation: CounterOperation) => Promise<CounterReport | Failure>;
  /** Told of each request that had counters to change, for the log. */
  readonly onChange: (change: CounterChange) => void;
}
