import { describe, expect, it } from 'vitest';
import type { DescriptorOutcome } from '../limiter/decision-event.ts';
import { denialBody } from '../limiter/denial-body.ts';
import { denialBodyPlaceholders, unknownPlaceholder } from './denial-body.ts';

const outcome = {
  status: {
    code: 'OVER_LIMIT',
    currentLimit: { requestsPerUnit: 5, windowSeconds: 60, unit: 'MINUTE', name: 'login' },
    limitRemaining: 0,
    secondsUntilReset: 7,
  },
} as DescriptorOutcome;

describe('placeholders of a denial body', () => {
  it.each(denialBodyPlaceholders)('{%s} is filled in by the limiter', (name) => {
    const { text } = denialBody(outcome, {
      kind: 'template',
      template: `{${name}}`,
      contentType: 'text/plain',
    });
    expect(text).not.toContain('{');
  });

  it.each([
    ['wait {retry_after} s for {limit} per {window} s ({name}, {remaining})', undefined],
    ['{"a":{},"b":{ "c": 1 }} {Limit} {limit', undefined],
    ['{limit} {reset}', 'reset'],
    ['{domain}', 'domain'],
  ])('%j', (template, unknown) => {
    expect(unknownPlaceholder(template)).toBe(unknown);
  });
});
