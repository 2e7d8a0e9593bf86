import type { RateLimitDocument, RuleDocument } from '../../src/rules/rules-document.ts';

const at = { line: 1, column: 1 };

/** A rule as the parser would give it; what is not said is off. */
export function ruleDocument(parts: Partial<RuleDocument> = {}): RuleDocument {
  return {
    at,
    key: '',
    value: '',
    rateLimit: undefined,
    shadowMode: false,
    quotaMode: false,
    detailedMetric: false,
    valueToMetric: false,
    shareThreshold: false,
    metadata: undefined,
    descriptors: [],
    ...parts,
  };
}

/** So many an hour, without a name. */
export function perHour(requestsPerUnit: number): RateLimitDocument {
  const limit = { requestsPerUnit, windowSeconds: 3_600, unit: 'HOUR', name: '' } as const;
  return { limit, requestsPerUnit, name: '', replaces: [], at };
}
