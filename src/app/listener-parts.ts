import type { Clock } from '../domain/clock.ts';
import type { Health } from '../health.ts';
import type { CounterAdministration } from '../limiter/counter-administration.ts';
import type { Limiter } from '../limiter/limiter.ts';
import type { Logger } from '../log.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { DecisionTracer } from '../server/decision-tracer.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** What the listeners are made of. */
export interface ListenerParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly limiter: Limiter;
  readonly administer: CounterAdministration;
  readonly rules: () => RuleSet | undefined;
  /** undefined: no traces. */
  readonly tracer: DecisionTracer | undefined;
}

/** What a listener is, once it is open. */
export interface Listening {
  readonly address: string;
  stop(deadlineMs: number): Promise<unknown>;
}

/** Certificates are renewed long before they end; half a minute is soon enough. */
export const tlsReloadIntervalMs = 30_000;
