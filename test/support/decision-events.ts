import { anonymous } from '../../src/domain/caller.ts';
import type { Descriptor, Entry, RateLimitRequest } from '../../src/domain/descriptor.ts';
import { createKeyedHash } from '../../src/domain/keyed-hash.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import type { DecisionEvent, DescriptorOutcome } from '../../src/limiter/decision-event.ts';
import { compileRules } from '../../src/rules/compile.ts';
import { match } from '../../src/rules/match.ts';
import type { Rule } from '../../src/rules/rule.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';
import type { RuleDocument } from '../../src/rules/rules-document.ts';
import { perHour, type RuleParts, ruleDocument, rulesDocument } from './rule-document.ts';

type Levels = Omit<RuleParts, 'descriptors'> & { readonly descriptors?: readonly Levels[] };

/** Compiled rules of one domain; a level without children gets a limit of 10 an hour unless it says otherwise. */
export function ruleSetOf(domain: string, levels: readonly Levels[], version = 'v1'): RuleSet {
  const documents = [rulesDocument(`${domain}.yaml`, domain, levels.map(documentOf))];
  const keyedHash = createKeyedHash(Buffer.from('a key of tests, not secret'));
  const sensitive = { everywhere: false, keyedHash };
  const options = { mergeDomains: false, keyPrefix: '', version, sensitive };
  const { ruleSet, issues } = compileRules(documents, options);
  if (ruleSet === undefined) throw new Error(JSON.stringify(issues));
  return ruleSet;
}

const limit = { requestsPerUnit: 10, windowSeconds: 3_600, unit: 'HOUR', name: '' } as const;

function documentOf({ descriptors = [], ...level }: Levels): RuleDocument {
  const rateLimit = descriptors.length > 0 ? undefined : perHour(10);
  return ruleDocument({ rateLimit, ...level, descriptors: descriptors.map(documentOf) });
}

/** `user=al,op=read`: a descriptor with two entries. */
export function descriptorOf(text: string): Descriptor {
  const entries = text === '' ? [] : text.split(',').map(entryOf);
  return { entries, limit: undefined, hitsAddend: undefined, isNegativeHits: false };
}

function entryOf(text: string): Entry {
  const [key = '', ...value] = text.split('=');
  return { key: octetsOf(key), value: octetsOf(value.join('=')) };
}

export function requestOf(domain: string, ...descriptors: Descriptor[]): RateLimitRequest {
  return { domain: octetsOf(domain), descriptors, hitsAddend: 1 };
}

/** One hit that is allowed, unless told otherwise. */
export function outcomeOf(
  descriptor: Descriptor,
  changes: Partial<DescriptorOutcome> = {},
): DescriptorOutcome {
  return {
    descriptor,
    source: 'rule',
    rule: undefined,
    status: { code: 'OK', currentLimit: limit, limitRemaining: 9, secondsUntilReset: 60 },
    isQuota: false,
    hits: 1,
    isRefund: false,
    withinLimit: 1,
    nearLimit: 0,
    overLimit: 0,
    shadowMode: 0,
    begunKeyLength: 0,
    fromDenyCache: false,
    limits: undefined,
    warning: undefined,
    ...changes,
  };
}

/** What a refused hit adds. */
export const refused: Partial<DescriptorOutcome> = {
  status: { code: 'OVER_LIMIT', currentLimit: limit, limitRemaining: 0, secondsUntilReset: 60 },
  withinLimit: 0,
  overLimit: 1,
};

/** A request of these outcomes; denied if one of them is. */
export function eventOf(
  rules: RuleSet | undefined,
  domain: string,
  outcomes: readonly DescriptorOutcome[],
  changes: Partial<DecisionEvent> = {},
): DecisionEvent {
  const isDenied = outcomes.some(({ status }) => status.code === 'OVER_LIMIT');
  return {
    request: requestOf(domain, ...outcomes.map(({ descriptor }) => descriptor)),
    caller: anonymous,
    rules,
    domainKnown: rules?.domains.has(octetsOf(domain)) ?? false,
    answer: {
      kind: 'decision',
      overallCode: isDenied ? 'OVER_LIMIT' : 'OK',
      statuses: outcomes.map(({ status }) => status),
      described: undefined,
      responseHeaders: [],
      furtherHeaders: [],
      dynamicMetadata: undefined,
      denialBody: undefined,
    },
    outcomes,
    storeErrors: [],
    policy: undefined,
    isLate: false,
    shadowed: false,
    ...changes,
  };
}

/** One hit on the rule that the descriptor matches. */
export function hitOn(
  rules: RuleSet,
  domain: string,
  descriptor: string,
  changes: Partial<DescriptorOutcome> = {},
): DecisionEvent {
  const described = descriptorOf(descriptor);
  const rule = ruleOf(rules, domain, described);
  return eventOf(rules, domain, [outcomeOf(described, { rule, ...changes })]);
}

function ruleOf(rules: RuleSet, domain: string, descriptor: Descriptor): Rule {
  const domainRules = rules.domains.get(octetsOf(domain));
  const rule = domainRules === undefined ? undefined : match(domainRules, descriptor);
  if (rule === undefined) throw new Error(`no rule for ${JSON.stringify(descriptor)}`);
  return rule;
}
