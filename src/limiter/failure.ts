import { type Failure, invalidArgument } from '../domain/decision.ts';
import type { StoreError } from '../store/store-error.ts';

export const noRules: Failure = Object.freeze({
  kind: 'failure',
  code: 'UNAVAILABLE',
  message: 'no configuration has been loaded yet',
});

/** Says nothing of who may: that is for those who may read the rules. */
export const notAClient: Failure = Object.freeze({
  kind: 'failure',
  code: 'PERMISSION_DENIED',
  message: 'this client may not use the domain',
});

export const noRefunds: Failure = Object.freeze(invalidArgument('the domain does not take hits back'));

export const tooLate: Failure = Object.freeze({
  kind: 'failure',
  code: 'DEADLINE_EXCEEDED',
  message: 'the deadline leaves no time to ask the store',
});

export const storeTooLate: Failure = Object.freeze({
  kind: 'failure',
  code: 'DEADLINE_EXCEEDED',
  message: 'the store did not answer before the deadline',
});

const storeTimeout: Failure = Object.freeze({
  kind: 'failure',
  code: 'UNAVAILABLE',
  message: 'the store did not answer in time',
});

const storeOverload: Failure = Object.freeze({
  kind: 'failure',
  code: 'RESOURCE_EXHAUSTED',
  message: 'too many calls wait for the store',
});

const storeError: Failure = Object.freeze({
  kind: 'failure',
  code: 'UNAVAILABLE',
  message: 'the store could not answer',
});

/** What the caller is told when hits of its request have no answer; the details go to metrics and logs. */
export function failureOf(errors: readonly StoreError[]): Failure {
  if (errors.some(({ kind }) => kind === 'timeout')) return storeTimeout;
  return errors.every(({ kind }) => kind === 'overload') ? storeOverload : storeError;
}
