import { describe, expect, it } from 'vitest';
import type { Answer, Decision, FailureCode } from '../domain/decision.ts';
import { wireStatusOf } from './failure-status.ts';

const decision = (overallCode: Decision['overallCode']): Answer => ({
  kind: 'decision',
  overallCode,
  statuses: [],
  described: undefined,
  responseHeaders: [],
  furtherHeaders: [],
  dynamicMetadata: undefined,
  denialBody: undefined,
});
const failure = (code: FailureCode): Answer => ({ kind: 'failure', code, message: 'no' });

describe('what an answer is on the wire', () => {
  it.each([
    [decision('OK'), 'OK', 200],
    [decision('OVER_LIMIT'), 'OK', 429],
    [failure('INVALID_ARGUMENT'), 'INVALID_ARGUMENT', 400],
    [failure('PERMISSION_DENIED'), 'PERMISSION_DENIED', 403],
    [failure('UNAVAILABLE'), 'UNAVAILABLE', 503],
    [failure('DEADLINE_EXCEEDED'), 'DEADLINE_EXCEEDED', 504],
    [failure('RESOURCE_EXHAUSTED'), 'RESOURCE_EXHAUSTED', 503],
  ])('%j: gRPC %s, HTTP %i', (answer, grpc, http) => {
    expect(wireStatusOf(answer)).toEqual({ grpc, http });
  });
});
