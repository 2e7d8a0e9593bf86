import {
  Clients,
  RateLimitConfig,
  RateLimitUnit,
} from '../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import type {
  AggregateDocument,
  AlgorithmDocument,
  ExemptionDocument,
  RateLimitDocument,
  RuleDocument,
  RulesDocument,
} from '../../src/rules/rules-document.ts';

type Config = Parameters<typeof RateLimitConfig.fromPartial>[0];
type Descriptor = NonNullable<Config['descriptors']>[number];
type Policy = NonNullable<Descriptor['rateLimit']>;

/** The resource that a control plane would send for what a file says. */
export function resourceOfDocument(document: RulesDocument, name: string): RateLimitConfig {
  const { failurePolicy, refunds, sensitive, clients } = document.options;
  return RateLimitConfig.fromPartial({
    name,
    domain: document.domain,
    descriptors: document.descriptors.map(descriptorOf),
    ...(failurePolicy && { failurePolicy }),
    ...(refunds !== undefined && { refunds }),
    ...(sensitive !== undefined && { sensitive }),
    exemptions: document.exemptions.map(exemptionOf),
    ...(clients && { clients: Clients.fromPartial({ names: [...clients] }) }),
  });
}

function exemptionOf({ key, values, prefix, cidrs }: ExemptionDocument) {
  return { key, values: [...values], cidrs: [...cidrs], ...(prefix && { prefix }) };
}

function descriptorOf(rule: RuleDocument): Descriptor {
  const { at: _, rateLimits, failurePolicy, metadata, aggregate, cidrs, descriptors, ...same } = rule;
  const [rateLimit, ...others] = rateLimits;
  return {
    ...same,
    cidrs: [...cidrs],
    descriptors: descriptors.map(descriptorOf),
    ...(aggregate && { aggregate: aggregateOf(aggregate) }),
    ...(rateLimit && others.length === 0 && { rateLimit: policyOf(rateLimit) }),
    ...(others.length > 0 && { rateLimits: rateLimits.map(policyOf) }),
    ...(failurePolicy && { failurePolicy }),
    ...(metadata && { metadata }),
  };
}

function aggregateOf({ ipv4, ipv6 }: AggregateDocument) {
  return { ...(ipv4 && { ipv4: `/${ipv4}` }), ...(ipv6 && { ipv6: `/${ipv6}` }) };
}

function policyOf({ limit, algorithm, warnAt, requestsPerUnit, name, replaces }: RateLimitDocument): Policy {
  const named = {
    name,
    requestsPerUnit,
    replaces: replaces.map((replaced) => ({ name: replaced })),
    warnAt: warnAt.map(String),
    ...wordsOf(algorithm),
  };
  if (limit === 'unlimited') return { ...named, unlimited: true };
  if (limit.unit === undefined) return { ...named, window: `${limit.windowSeconds}s` };
  return { ...named, unit: RateLimitUnit[limit.unit] };
}

function wordsOf(algorithm: AlgorithmDocument): Partial<Policy> {
  switch (algorithm.kind) {
    case 'fixed_window':
      return {};
    case 'sliding_window':
      return { algorithm: algorithm.kind };
    case 'token_bucket':
      return { algorithm: algorithm.kind, burst: algorithm.burst };
    case 'calendar_window':
      return { align: 'calendar', timezone: algorithm.timeZone };
  }
}
