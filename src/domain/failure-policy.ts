/**
 * What a caller gets while a counter that its request needs can't be reached, in the order of strictness: of several
 * counters the strictest policy applies.
 * - `deny`: over limit.
 * - `error`: no decision. Envoy then does what its `failure_mode_deny` says.
 * - `local`: counted in this process, with a share of the limit.
 * - `allow`: passes.
 */
export type FailurePolicy = (typeof failurePolicies)[number];

export const failurePolicies = Object.freeze(['deny', 'error', 'local', 'allow'] as const);
