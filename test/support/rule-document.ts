import type {
  DomainOptions,
  RateLimitDocument,
  RuleDocument,
  RulesDocument,
} from '../../src/rules/rules-document.ts';

const at = { line: 1, column: 1 };

/** Of a domain of which nothing is said. */
const noDomainOptions: DomainOptions = {
  failurePolicy: undefined,
  refunds: undefined,
  sensitive: undefined,
  clients: undefined,
};

/** A file of rules as the parser would give it. */
export function rulesDocument(
  file: string,
  domain: string,
  descriptors: readonly RuleDocument[],
  options: Partial<DomainOptions> = {},
): RulesDocument {
  return { file, domain, at, options: { ...noDomainOptions, ...options }, exemptions: [], descriptors };
}

export interface RuleParts extends Partial<RuleDocument> {
  /** Its only limit. */
  readonly rateLimit?: RateLimitDocument | undefined;
}

/** A rule as the parser would give it; what is not said is off. */
export function ruleDocument({ rateLimit, ...parts }: RuleParts = {}): RuleDocument {
  return {
    at,
    key: '',
    value: '',
    cidrs: [],
    aggregate: undefined,
    rateLimits: rateLimit === undefined ? [] : [rateLimit],
    shadowMode: false,
    quotaMode: false,
    detailedMetric: false,
    valueToMetric: false,
    shareThreshold: false,
    metadata: undefined,
    failurePolicy: undefined,
    sensitive: false,
    descriptors: [],
    ...parts,
  };
}

/** So many an hour, without a name. */
export function perHour(requestsPerUnit: number): RateLimitDocument {
  const limit = { requestsPerUnit, windowSeconds: 3_600, unit: 'HOUR', name: '' } as const;
  return {
    limit,
    algorithm: { kind: 'fixed_window' },
    warnAt: [],
    requestsPerUnit,
    name: '',
    replaces: [],
    at,
  };
}
