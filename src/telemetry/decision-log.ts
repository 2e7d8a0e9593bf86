import type { Clock } from '../domain/clock.ts';
import type { Descriptor } from '../domain/descriptor.ts';
import type { RateLimit } from '../domain/limit.ts';
import { type Octets, textOf } from '../domain/octets.ts';
import type {
  DecisionEvent,
  DecisionListener,
  DescriptorOutcome,
  LimitWarning,
} from '../limiter/decision-event.ts';
import type { Logger } from '../log.ts';
import { Sampler, type SamplerOptions } from '../log-sampler.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { type ShownValue, shownValues } from '../rules/shown-values.ts';
import type { StoreError } from '../store/store-error.ts';
import { printable } from './printable.ts';

export interface DecisionLogOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /**
   * Why a descriptor has no rule and what comes nearest, as a sentence without sensitive values. Asked only for lines that
   * are written.
   */
  readonly explain: (rules: RuleSet, domain: Octets, descriptor: Descriptor) => string;
}

/** One line a second for each rule, or for each list of keys without one. A flood of denials costs a look into a table for each. */
const denialSampling: SamplerOptions = Object.freeze({ intervalMs: 1_000, maxSubjects: 100 });
/** Of unknown domains, which callers make up, fewer are told apart. */
const unmatchedSampling: SamplerOptions = Object.freeze({ intervalMs: 1_000, maxSubjects: 20 });

/** A client that may not use a domain goes on asking, and who runs it has to be found: seldom is often enough. */
const refusalSampling: SamplerOptions = Object.freeze({ intervalMs: 10_000, maxSubjects: 20 });

/** For each policy and domain. */
const degradedSampling: SamplerOptions = Object.freeze({ intervalMs: 1_000, maxSubjects: 100 });

/** One line a minute for each rule: it goes on for as long as the limit is nearly used. */
const warningSampling: SamplerOptions = Object.freeze({ intervalMs: 60_000, maxSubjects: 100 });

/** Entries of a descriptor, and names of a caller, that a line shows. */
const maxEntries = 10;

/**
 * Writes a sampled line for each denial (`info`: limits do what they are for) and for each descriptor without a rule:
 * `warn` for a domain that is not configured, which most often is a misspelt one and limits nothing, `info` for a
 * descriptor of a known domain, as not everything that Envoy sends needs a limit. `error` for requests that a failure policy
 * decided: while that goes on, limits are not what the configuration says. `info` for limits that their rules have warned of. `warn` for clients that may not use a domain.
 */
export function createDecisionLog({ log, clock, explain }: DecisionLogOptions): DecisionListener {
  const denials = new Sampler(denialSampling);
  const unmatched = new Sampler(unmatchedSampling);
  const degraded = new Sampler(degradedSampling);
  const refused = new Sampler(refusalSampling);
  const warned = new Sampler(warningSampling);

  function logDenial(event: DecisionEvent, outcome: DescriptorOutcome): void {
    const sampled = denials.take(
      outcome.rule?.path ?? `override in ${event.request.domain}`,
      clock.monotonic(),
    );
    if (sampled === undefined) return;
    const message = event.shadowed ? 'over limit, allowed by global shadow mode' : 'over limit';
    log.info({ ...subjectOf(event, outcome), ...denialOf(outcome), ...sampled }, message);
  }

  function logWarning(event: DecisionEvent, outcome: DescriptorOutcome, warning: LimitWarning): void {
    const sampled = warned.take(outcome.rule?.path ?? '', clock.monotonic());
    if (sampled === undefined) return;
    const rule = printable(outcome.rule?.path ?? '');
    const { share, used, capacity, secondsUntilReset } = warning;
    const fields = { rule, share, used, limit: capacity, resetSeconds: secondsUntilReset };
    log.info({ ...subjectOf(event, outcome), ...fields, ...sampled }, 'a limit is nearly used');
  }

  function logUnmatched(event: DecisionEvent, outcome: DescriptorOutcome): void {
    const { request, rules, domainKnown } = event;
    const sampled = unmatched.take(unmatchedSubject(event, outcome), clock.monotonic());
    if (sampled === undefined) return;
    const why = rules === undefined ? '' : explain(rules, request.domain, outcome.descriptor);
    const fields = { ...subjectOf(event, outcome), why: printable(why, 500), ...sampled };
    if (domainKnown) log.info(fields, 'no rule matches the descriptor, so it is not limited');
    else log.warn(fields, 'unknown domain, so nothing is limited');
  }

  function logDegraded({ request, policy, storeErrors }: DecisionEvent): void {
    const sampled = degraded.take(`${policy} ${request.domain.slice(0, maxSubject)}`, clock.monotonic());
    if (sampled === undefined) return;
    const [error] = storeErrors;
    const cause = error === undefined ? { reason: 'the caller left no time' } : causeOf(error);
    const fields = { policy, domain: shown(request.domain), ...cause, ...sampled };
    log.error(
      fields,
      'counters could not be reached: decided by policy, limits are not enforced as configured',
    );
  }

  function logRefused({ request, caller: { provenNames } }: DecisionEvent): void {
    const [name = ''] = provenNames;
    const subject = `${name.slice(0, maxSubject)} ${request.domain.slice(0, maxSubject)}`;
    const sampled = refused.take(subject, clock.monotonic());
    if (sampled === undefined) return;
    const fields = { domain: shown(request.domain), clientNames: clientNames(provenNames), ...sampled };
    log.warn(fields, 'a client that may not use the domain was refused');
  }

  return (event) => {
    const { answer } = event;
    if (event.policy !== undefined) logDegraded(event);
    if (answer.kind === 'failure') {
      if (answer.code === 'PERMISSION_DENIED') logRefused(event);
      return;
    }
    const isDenied = (answer.overallCode === 'OVER_LIMIT' || event.shadowed) && log.isLevelEnabled('info');
    for (const outcome of event.outcomes) {
      if (outcome.source === 'unmatched') {
        if (log.isLevelEnabled(event.domainKnown ? 'info' : 'warn')) logUnmatched(event, outcome);
      } else if (isDenied && outcome.status.code === 'OVER_LIMIT') {
        logDenial(event, outcome);
      } else if (outcome.warning !== undefined && log.isLevelEnabled('info')) {
        logWarning(event, outcome, outcome.warning);
      }
    }
  };
}

/**
 * The domain and the keys: a descriptor that never has a rule must not hide another one that is misspelt. Long names that
 * nobody configured are not kept, and so not told apart.
 */
function unmatchedSubject(
  { request: { domain }, domainKnown }: DecisionEvent,
  { descriptor }: DescriptorOutcome,
) {
  if (!domainKnown) return domain.length <= maxSubject ? domain : 'a long domain';
  let subject: string = domain;
  for (const { key } of descriptor.entries) {
    subject += `|${key}`;
    if (subject.length > maxSubject) return `${domain}|long keys`;
  }
  return subject;
}

/** Characters of a subject that is kept. */
const maxSubject = 200;

function causeOf({ kind, node, message }: StoreError) {
  return { errorKind: kind, node, reason: message };
}

function subjectOf({ request, rules }: DecisionEvent, { descriptor, rule }: DescriptorOutcome) {
  const shownValue = shownValues(rules?.domains.get(request.domain), rule);
  return { domain: shown(request.domain), descriptor: descriptorText(descriptor, shownValue) };
}

function denialOf({ rule, status, hits, fromDenyCache }: DescriptorOutcome) {
  return {
    rule: rule === undefined ? 'override' : printable(rule.path),
    limit: status.currentLimit === undefined ? '' : limitText(status.currentLimit),
    resetSeconds: status.secondsUntilReset,
    hits,
    fromDenyCache,
  };
}

/** `key=value` of each entry, as the request has them; in place of a value that must not be seen stands its hash. */
function descriptorText({ entries }: Descriptor, shownValue: ShownValue): string[] {
  const texts = entries
    .slice(0, maxEntries)
    .map((entry, position) => `${shown(entry.key)}=${shown(shownValue(entry, position))}`);
  if (entries.length > maxEntries) texts.push(`… (${entries.length} entries)`);
  return texts;
}

/** A certificate may hold names by the thousand. */
function clientNames(names: readonly string[]): string[] {
  const shownNames = names.slice(0, maxEntries).map((name) => printable(name));
  if (names.length > maxEntries) shownNames.push(`… (${names.length} names)`);
  return shownNames;
}

/** Cut before it is decoded too: a value can be as long as a request. */
function shown(octets: Octets): string {
  return printable(textOf(octets.slice(0, 1_000) as Octets));
}

/** `5/MINUTE`, or `5/10s` where no unit has this length. */
function limitText({ requestsPerUnit, unit, windowSeconds }: RateLimit): string {
  return `${requestsPerUnit}/${unit ?? `${windowSeconds}s`}`;
}
