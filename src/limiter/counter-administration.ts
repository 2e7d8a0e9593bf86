import type { Clock } from '../domain/clock.ts';
import type {
  CounterFault,
  CounterLevel,
  CounterOperation,
  CounterQuery,
  CounterReading,
  CounterReport,
} from '../domain/counter-report.ts';
import type { Failure } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';
import type { Hit } from '../domain/hit.ts';
import { maxUint32 } from '../domain/limit.ts';
import { amountText, countingText } from '../domain/limit-text.ts';
import type { RequestBounds } from '../domain/request-bounds.ts';
import { isExempt } from '../rules/exemptions/exemptions.ts';
import type { DomainRules, RuleSet } from '../rules/rule-set.ts';
import { shownValues } from '../rules/shown-values.ts';
import type { AdjustableStore, CounterState } from '../store/counter-store.ts';
import { isStoreError, type StoreError } from '../store/store-error.ts';
import { checkRequest } from './check-request.ts';
import { noRules } from './failure.ts';
import { planExempt, planRequest } from './plan.ts';
import type { PlannedCount, PlannedDescriptor } from './planned-descriptor.ts';

export interface CounterAdministrationOptions {
  /** The rules in force. */
  readonly rules: () => RuleSet | undefined;
  readonly store: AdjustableStore;
  readonly clock: Clock;
  readonly bounds: RequestBounds;
  /** Told of each counter that was changed: what is known of it is of no use any more. */
  readonly onChange: (key: string) => void;
}

/** Shows counters to people, and changes them. Resolves always. */
export type CounterAdministration = (
  query: CounterQuery,
  operation: CounterOperation,
) => Promise<CounterReport | Failure>;

/** People wait longer than requests do. */
const timeoutMs = 2_000;

/** Finds counters by the same plan as a request does, so that what is shown is what is counted. */
export function createCounterAdministration(options: CounterAdministrationOptions): CounterAdministration {
  return async ({ domain, descriptor }, operation) => {
    const looking = { ...descriptor, hitsAddend: 0, isNegativeHits: false };
    const request: RateLimitRequest = { domain, descriptors: [looking], hitsAddend: 0 };
    const fault = checkRequest(request, options.bounds);
    if (fault !== undefined) return fault;
    const rules = options.rules();
    if (rules === undefined) return noRules;
    const domainRules = rules.domains.get(domain);
    const planned = planOf(request, domainRules);
    const { source, rule, count, further } = planned;
    const counts = count === undefined ? [] : [count, ...further];
    const shown = shownValues(domainRules, rule);
    return {
      kind: 'report',
      domain,
      entries: descriptor.entries.map((entry, index) => ({ key: entry.key, value: shown(entry, index) })),
      found: source,
      rule: rule?.path,
      counters: await Promise.all(counts.map((one) => administer(one, operation, options))),
    };
  };
}

function planOf(request: RateLimitRequest, domain: DomainRules | undefined): PlannedDescriptor {
  const isFree = domain?.exemptions !== undefined && isExempt(domain.exemptions, request.descriptors);
  // Quotas are counted as other limits are.
  const planned = isFree ? planExempt(request) : planRequest(request, domain, { quotaMode: false });
  return planned[0] as PlannedDescriptor;
}

async function administer(
  { hit, limit }: PlannedCount,
  operation: CounterOperation,
  { store, clock, onChange }: CounterAdministrationOptions,
): Promise<CounterReading> {
  const deadline = clock.monotonic() + timeoutMs;
  const state =
    operation.kind === 'get'
      ? ((await store.hit([hit], deadline)).states[0] as CounterState | StoreError)
      : await store.adjust(hit, operation, deadline);
  // Also after an error: it may have been changed.
  if (operation.kind !== 'get') onChange(hit.key);
  const how = countingText(hit.counting);
  return {
    limit: how === undefined ? amountText(limit) : `${amountText(limit)} (${how})`,
    key: hit.key,
    state: isStoreError(state) ? faultOf(state) : levelOf(state, hit),
  };
}

function levelOf({ before, after, msUntilReset }: CounterState, hit: Hit): CounterLevel {
  return {
    before,
    used: after,
    remaining: Math.min(Math.max(hit.limit - after, 0), maxUint32),
    secondsUntilReset: Math.ceil(msUntilReset / 1000),
  };
}

function faultOf({ kind, message }: StoreError): CounterFault {
  return { fault: kind, message };
}
