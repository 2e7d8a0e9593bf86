import type { Clock } from '../domain/clock.ts';
import type { Answer } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';
import type { RequestBounds } from '../domain/request-bounds.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { CounterStore } from '../store/counter-store.ts';
import type { StoreError } from '../store/store-error.ts';
import { checkRequest } from './check-request.ts';
import { type ConcludeOptions, conclude } from './conclude.ts';
import { countRequest } from './count.ts';
import type { DecisionListener, DescriptorOutcome } from './decision-event.ts';
import { createDenyCache, type DenyCacheOptions } from './deny-cache.ts';
import { failureOf, noRules, storeTooLate, tooLate } from './failure.ts';
import { planRequest } from './plan.ts';

export interface LimiterOptions extends ConcludeOptions {
  /** The rules in force, asked for once per request; undefined before the first good configuration. */
  readonly rules: () => RuleSet | undefined;
  readonly store: CounterStore;
  readonly clock: Clock;
  readonly listeners: readonly DecisionListener[];
  readonly bounds: RequestBounds;
  /** STORE_TIMEOUT, in ms. */
  readonly storeTimeoutMs: number;
  /** false: a denied request consumes nothing (COUNT_DENIED). The deny cache is then not used. */
  readonly countDenied: boolean;
  /** QUOTA_MODE: every limit is a quota. */
  readonly quotaMode: boolean;
  /** NEAR_LIMIT_RATIO; for statistics. */
  readonly nearLimitRatio: number;
  readonly denyCache: DenyCacheOptions | undefined;
}

/** The engine: one request in, one answer out. */
export interface Limiter {
  /**
   * Decides, and counts. Resolves always: what cannot be decided is a Failure.
   * @param deadline when the caller gives up, by {@link Clock.monotonic} in ms; undefined when it does not say
   */
  decide(request: RateLimitRequest, deadline: number | undefined): Promise<Answer>;
  /** To be called when the rules have changed. */
  rulesChanged(): void;
  /** Keys in the deny cache. */
  denyCacheSize(): number;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { clock, listeners } = options;
  const denyCache =
    options.countDenied && options.denyCache !== undefined ? createDenyCache(options.denyCache) : undefined;
  const countOptions = {
    store: options.store,
    clock,
    storeTimeoutMs: options.storeTimeoutMs,
    denyCache,
    // In global shadow mode nothing is denied, so everything counts.
    countDenied: options.countDenied || options.shadowMode,
    nearLimitRatio: options.nearLimitRatio,
  };

  async function decide(request: RateLimitRequest, deadline: number | undefined): Promise<Answer> {
    const rules = options.rules();
    const domain = rules?.domains.get(request.domain);

    function finish<A extends Answer>(answer: A, judged: Judged): A {
      const isLate = deadline !== undefined && clock.monotonic() > deadline;
      const event = { request, rules, domainKnown: domain !== undefined, answer, isLate, ...judged };
      for (const listen of listeners) listen(event);
      return answer;
    }

    const fault = checkRequest(request, options.bounds);
    if (fault !== undefined) return finish(fault, notJudged);
    if (rules === undefined) return finish(noRules, notJudged);
    const planned = planRequest(request, domain, { keys: rules.keys, quotaMode: options.quotaMode });
    const result = await countRequest(planned, deadline, countOptions);
    if (result.kind === 'too-late') return finish(tooLate, notJudged);
    if (result.kind === 'failed') {
      const { storeErrors } = result;
      const isOver = deadline !== undefined && clock.monotonic() >= deadline;
      return finish(isOver ? storeTooLate : failureOf(storeErrors), { ...notJudged, storeErrors });
    }
    const { decision, shadowed } = conclude(request, result.outcomes, options);
    return finish(decision, { outcomes: result.outcomes, storeErrors: noErrors, shadowed });
  }

  return {
    decide,
    rulesChanged: () => denyCache?.clear(),
    denyCacheSize: () => denyCache?.size ?? 0,
  };
}

interface Judged {
  readonly outcomes: readonly DescriptorOutcome[];
  readonly storeErrors: readonly StoreError[];
  readonly shadowed: boolean;
}

const noErrors: readonly StoreError[] = Object.freeze([]);
const notJudged: Judged = Object.freeze({ outcomes: [], storeErrors: noErrors, shadowed: false });
