import type { Caller } from '../domain/caller.ts';
import type { Clock } from '../domain/clock.ts';
import type { Answer } from '../domain/decision.ts';
import type { RateLimitRequest } from '../domain/descriptor.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { RequestBounds } from '../domain/request-bounds.ts';
import { isExempt } from '../rules/exemptions/exemptions.ts';
import type { DomainRules, RuleSet } from '../rules/rule-set.ts';
import type { CounterStore } from '../store/counter-store.ts';
import { decideByPolicy } from './by-policy.ts';
import { checkAdmission, checkRequest } from './check-request.ts';
import { type ConcludeOptions, conclude } from './conclude.ts';
import type { DecisionEvent, DecisionListener, DescriptorOutcome } from './decision-event.ts';
import { createDenyCache, type DenyCacheOptions } from './deny-cache.ts';
import { failureOf, noRules, storeTooLate, tooLate } from './failure.ts';
import { judgeUncounted } from './judge.ts';
import { type Judgement, judgeAnswer } from './judge-answer.ts';
import { planExempt, planRequest } from './plan.ts';
import { askStore, type Question, questionFor } from './question.ts';

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
  /** What callers get while counters can't be reached (STORE_FAILURE_POLICY). */
  readonly failurePolicy: FailurePolicy;
  /** Counts by policy `local`. */
  readonly localStore: CounterStore;
  /** This process's part of each limit then (LOCAL_SHARE). */
  readonly localShare: number;
}

/** The engine: one request in, one answer out. */
export interface Limiter {
  /**
   * Decides, and counts. Resolves always: what cannot be decided is a Failure.
   * @param deadline when the caller gives up, by {@link Clock.monotonic} in ms; undefined when it does not say
   */
  decide(request: RateLimitRequest, deadline: number | undefined, caller: Caller): Promise<Answer>;
  /** To be called when the rules have changed. */
  rulesChanged(): void;
  /** To be called when a counter was changed by other means than a request. */
  counterChanged(key: string): void;
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
    countDenied: options.countDenied,
    countAll: options.shadowMode,
    nearLimitRatio: options.nearLimitRatio,
  };
  const policyOptions = {
    failurePolicy: options.failurePolicy,
    localStore: options.localStore,
    localShare: options.localShare,
    nearLimitRatio: options.nearLimitRatio,
  };

  async function decide(
    request: RateLimitRequest,
    deadline: number | undefined,
    caller: Caller,
  ): Promise<Answer> {
    const rules = options.rules();
    const domain = rules?.domains.get(request.domain);
    const asked: Asked = { request, caller, deadline, rules, domain };
    const fault = checkRequest(request, options.bounds);
    if (fault !== undefined) return finish(asked, fault, notJudged);
    if (rules === undefined) return finish(asked, noRules, notJudged);
    const refusal = domain && checkAdmission(request, caller, domain);
    if (refusal !== undefined) return finish(asked, refusal, notJudged);
    if (domain?.exemptions !== undefined && isExempt(domain.exemptions, request.descriptors)) {
      return decided(asked, planExempt(request).map(judgeUncounted), whole);
    }
    const planned = planRequest(request, domain, options);
    const question = questionFor(planned, deadline, countOptions);
    const result = await askStore(question, countOptions);
    const { outcomes, storeErrors } = judgeAnswer(question, result, countOptions);
    return storeErrors.length === 0
      ? decided(asked, outcomes as readonly DescriptorOutcome[], whole)
      : undecided(asked, question, { outcomes, storeErrors });
  }

  async function undecided(asked: Asked, question: Question, judged: Judgement): Promise<Answer> {
    const { storeErrors } = judged;
    const { planned, until } = question;
    const { policy, outcomes } = await decideByPolicy(
      { planned, reached: judged.outcomes, domain: asked.domain },
      policyOptions,
    );
    if (outcomes !== undefined) return decided(asked, outcomes, { storeErrors, policy });
    if (until === undefined) return finish(asked, tooLate, { ...notJudged, policy });
    const isOver = asked.deadline !== undefined && clock.monotonic() >= asked.deadline;
    const failure = isOver ? storeTooLate : failureOf(storeErrors);
    return finish(asked, failure, { ...notJudged, storeErrors, policy });
  }

  function decided(asked: Asked, outcomes: readonly DescriptorOutcome[], by: DecidedBy): Answer {
    const { decision, shadowed } = conclude(asked.request, outcomes, by.policy, options);
    const { storeErrors, policy } = by;
    return finish(asked, decision, { outcomes, storeErrors, policy, shadowed });
  }

  function finish(asked: Asked, answer: Answer, judged: Judged): Answer {
    const { request, caller, deadline, rules, domain } = asked;
    const isLate = deadline !== undefined && clock.monotonic() > deadline;
    const { outcomes, storeErrors, policy, shadowed } = judged;
    const event = {
      request,
      caller,
      rules,
      domainKnown: domain !== undefined,
      answer,
      outcomes,
      storeErrors,
      policy,
      isLate,
      shadowed,
    };
    for (const listen of listeners) listen(event);
    return answer;
  }

  return {
    decide,
    rulesChanged: () => denyCache?.clear(),
    counterChanged: (key) => denyCache?.forget(key),
    denyCacheSize: () => denyCache?.size ?? 0,
  };
}

/** A request, as it was when it came. */
interface Asked extends Pick<DecisionEvent, 'request' | 'caller' | 'rules'> {
  readonly domain: DomainRules | undefined;
  readonly deadline: number | undefined;
}

type Judged = Pick<DecisionEvent, 'outcomes' | 'storeErrors' | 'policy' | 'shadowed'>;
type DecidedBy = Pick<DecisionEvent, 'storeErrors' | 'policy'>;

/** All counters were reached. */
const whole: DecidedBy = Object.freeze({ storeErrors: [], policy: undefined });

const notJudged: Judged = Object.freeze({
  outcomes: [],
  storeErrors: [],
  policy: undefined,
  shadowed: false,
});
