import { describe, expect, it } from 'vitest';
import {
  descriptorOf,
  eventOf,
  hitOn,
  outcomeOf,
  refused,
  ruleSetOf,
} from '../../test/support/decision-events.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { DecisionEvent } from '../limiter/decision-event.ts';
import { createLogger, type LogLevel } from '../log.ts';
import { explainMatch } from '../rules/explain.ts';
import { createDecisionLog } from './decision-log.ts';

const rules = ruleSetOf('shop', [
  { key: 'ip' },
  { key: 'plan', value: 'free', descriptors: [{ key: 'user' }] },
]);

/** What a log writes about events that come one after the other, each so many ms after the start. */
function lines(
  events: readonly (readonly [ms: number, event: DecisionEvent])[],
  level: LogLevel = 'info',
): Record<string, unknown>[] {
  const written: Record<string, unknown>[] = [];
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };
  const destination = { write: (line: string) => written.push(JSON.parse(line)) };
  const log = createLogger({ level, format: 'json', destination, clock });
  const listener = createDecisionLog({
    log,
    clock,
    explain: (set, domain, descriptor) => explainMatch(set, domain, descriptor).summary,
  });
  for (const [ms, event] of events) {
    now = ms;
    listener(event);
  }
  return written;
}

const denial = hitOn(rules, 'shop', 'ip=192.0.2.1', refused);
const unmatched = (domain: string, descriptor: string) =>
  eventOf(rules, domain, [outcomeOf(descriptorOf(descriptor), { source: 'unmatched', withinLimit: 0 })]);

const warning = { share: 0.8, used: 9, capacity: 10, secondsUntilReset: 60 };
const warned = hitOn(rules, 'shop', 'ip=192.0.2.1', { warning });

describe('createDecisionLog()', () => {
  it('writes that a limit is nearly used, once a minute for each rule', () => {
    const written = lines([
      [0, warned],
      [1_000, warned],
      [61_000, warned],
    ]);
    expect(written).toMatchObject([
      {
        level: 'info',
        '@message': 'a limit is nearly used',
        rule: 'shop.ip',
        descriptor: ['ip=192.0.2.1'],
        share: 0.8,
        used: 9,
        limit: 10,
        resetSeconds: 60,
      },
      { '@message': 'a limit is nearly used' },
    ]);
  });

  it('writes nothing about a request that is allowed', () => {
    expect(lines([[0, hitOn(rules, 'shop', 'ip=192.0.2.1')]], 'trace')).toEqual([]);
  });

  it('writes who was denied by which rule, and until when', () => {
    expect(lines([[0, denial]])).toEqual([
      {
        level: 'info',
        '@timestamp': '1970-01-01T00:00:00.000Z',
        '@message': 'over limit',
        domain: 'shop',
        descriptor: ['ip=192.0.2.1'],
        rule: 'shop.ip',
        limit: '10/HOUR',
        resetSeconds: 60,
        hits: 1,
        fromDenyCache: false,
        suppressed: 0,
        suppressedOthers: 0,
      },
    ]);
  });

  it('writes one line a second for each rule, with the number left out', () => {
    const other = hitOn(rules, 'shop', 'plan=free,user=al', refused);
    const written = lines([
      [0, denial],
      [10, denial],
      [20, other],
      [30, denial],
      [1_000, denial],
    ]);
    expect(written.map(({ rule, suppressed }) => [rule, suppressed])).toEqual([
      ['shop.ip', 0],
      ['shop.plan_free.user', 0],
      ['shop.ip', 2],
    ]);
  });

  it('writes the descriptors of a denied request that are over, and no others', () => {
    const allowed = hitOn(rules, 'shop', 'plan=free,user=al');
    const both = eventOf(rules, 'shop', [...allowed.outcomes, ...denial.outcomes]);
    expect(lines([[0, both]]).map(({ rule }) => rule)).toEqual(['shop.ip']);
  });

  it('writes nothing about a used-up quota beside another, as the request is allowed', () => {
    const event = { ...denial, answer: hitOn(rules, 'shop', 'ip=x').answer };
    expect(lines([[0, event]])).toEqual([]);
  });

  it('says when global shadow mode let the request pass', () => {
    const event = { ...denial, answer: hitOn(rules, 'shop', 'ip=x').answer, shadowed: true };
    expect(lines([[0, event]])).toMatchObject([{ '@message': 'over limit, allowed by global shadow mode' }]);
  });

  it('names a limit of the request', () => {
    const outcome = outcomeOf(descriptorOf('ip=x'), { ...refused, source: 'override' });
    expect(lines([[0, eventOf(rules, 'shop', [outcome])]])).toMatchObject([
      { rule: 'override', limit: '10/HOUR' },
    ]);
  });

  it('writes nothing about denials at level warn', () => {
    expect(lines([[0, denial]], 'warn')).toEqual([]);
  });

  it('M01: warns of an unknown domain and names the nearest', () => {
    expect(lines([[0, unmatched('Shop', 'ip=x')]], 'warn')).toMatchObject([
      {
        level: 'warning',
        '@message': 'unknown domain, so nothing is limited',
        domain: 'Shop',
        why: expect.stringContaining("did you mean 'shop'?"),
      },
    ]);
  });

  it('M02: says how far a descriptor went that no rule matches', () => {
    expect(lines([[0, unmatched('shop', 'plan=free,s=t')]])).toMatchObject([
      {
        level: 'info',
        domain: 'shop',
        descriptor: ['plan=free', 's=t'],
        why: expect.stringContaining('matched 1 of 2'),
      },
    ]);
  });

  it('tells descriptors with other keys apart, so that one without a rule hides no misspelt one', () => {
    const event = eventOf(
      rules,
      'shop',
      ['zz=1', 'remote_addres=1', 'zz=2'].map((text) =>
        outcomeOf(descriptorOf(text), { source: 'unmatched', withinLimit: 0 }),
      ),
    );
    expect(lines([[0, event]])).toMatchObject([
      { descriptor: ['zz=1'] },
      { descriptor: ['remote_addres=1'] },
    ]);
  });

  it('T02: a flood of made-up domains becomes a few lines', () => {
    const flood = Array.from(
      { length: 50_000 },
      (_, index) => [0, unmatched(`made-up-${index}`, 'ip=x')] as const,
    );
    const written = lines([...flood, [1_000, unmatched('last', 'ip=x')]]);
    expect(written).toHaveLength(21);
    expect(written.at(-1)).toMatchObject({ domain: 'last', suppressedOthers: 50_000 - 20 });
  });

  it('cuts long values, and lets no caller write lines of its own', () => {
    const long = 'x'.repeat(60_000);
    const [line] = lines([[0, unmatched('shop', `ip=a\nlevel=error,user=${long},${'k=v,'.repeat(50)}k=v`)]]);
    expect(line?.['descriptor']).toEqual([
      'ip=a\\x0alevel=error',
      `user=${'x'.repeat(200)}…`,
      ...Array.from({ length: 8 }, () => 'k=v'),
      '… (53 entries)',
    ]);
    expect(JSON.stringify(line).length).toBeLessThan(2_000);
  });

  it('warns of a client that may not use a domain, once in ten seconds for each', () => {
    const answer = { kind: 'failure', code: 'PERMISSION_DENIED', message: '' } as const;
    const by = (...provenNames: string[]) => eventOf(rules, 'shop', [], { answer, caller: { provenNames } });
    const many = Array.from({ length: 5_000 }, (_, index) => `n${index}${'x'.repeat(1_000)}`);
    const events = [by('a.test', 'urn:\u202e'), by(), by('a.test'), by(...many), by('a.test')];
    const written = lines(events.map((event, index) => [index * 2_500, event]));
    const line = { level: 'warning', '@message': 'a client that may not use the domain was refused' };
    expect(written).toMatchObject([
      { ...line, domain: 'shop', clientNames: ['a.test', 'urn:\\u{202e}'], suppressed: 0 },
      { clientNames: [] },
      { clientNames: { length: 11, 10: '… (5000 names)' } },
      { clientNames: ['a.test'], suppressed: 1 },
    ]);
    expect(JSON.stringify(written).length).toBeLessThan(4_000);
  });

  it('says that a policy decided, a line a second for each policy and domain', () => {
    const error = { kind: 'timeout', message: 'no answer', node: 'r:6379' } as const;
    const byPolicy = (policy: FailurePolicy) => eventOf(rules, 'shop', [], { policy, storeErrors: [error] });
    const written = lines([
      [0, byPolicy('allow')],
      [10, byPolicy('allow')],
      [20, byPolicy('deny')],
      [1_000, byPolicy('allow')],
    ]);
    expect(written).toMatchObject([
      {
        level: 'error',
        policy: 'allow',
        domain: 'shop',
        errorKind: 'timeout',
        node: 'r:6379',
        suppressed: 0,
      },
      { level: 'error', policy: 'deny' },
      { level: 'error', policy: 'allow', suppressed: 1 },
    ]);
  });

  it('writes about a request without any configuration nothing: that is a failure', () => {
    const answer = { kind: 'failure', code: 'UNAVAILABLE', message: 'no configuration' } as const;
    expect(lines([[0, eventOf(undefined, 'shop', [], { answer })]], 'trace')).toEqual([]);
  });
});
