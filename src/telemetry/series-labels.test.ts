import { describe, expect, it } from 'vitest';
import { descriptorOf, ruleSetOf } from '../../test/support/decision-events.ts';
import type { Rule } from '../rules/rule.ts';
import {
  configuredLabels,
  labelText,
  otherValueLabels,
  requestLabels,
  requestLevels,
} from './series-labels.ts';

type Levels = Parameters<typeof ruleSetOf>[1];

function onlyRule(domain: string, levels: Levels): Rule {
  const { rules } = ruleSetOf(domain, levels);
  expect(rules).toHaveLength(1);
  return rules[0] as Rule;
}

describe('configuredLabels()', () => {
  it.each<[string, Levels, string, string | undefined]>([
    ['a key', [{ key: 'ip' }], 'ip', undefined],
    ['a key and value', [{ key: 'plan', value: 'free' }], 'plan_free', undefined],
    ['a pattern', [{ key: 'path', value: '/v1/*' }], 'path_/v1/*', undefined],
    ['two levels', [{ key: 'a', descriptors: [{ key: 'b', value: 'v' }] }], 'a', 'b_v'],
    [
      'three levels',
      [{ key: 'a', descriptors: [{ key: 'b', descriptors: [{ key: 'c', value: '1' }] }] }],
      'a',
      'b',
    ],
  ])('names %s', (_, levels, key1, key2) => {
    expect(configuredLabels(onlyRule('shop', levels))).toEqual({ domain: 'shop', key1, key2, deeper: [] });
  });
});

describe('labelText()', () => {
  it.each([
    ['a:b_c|d', 'a_b_c_d'],
    ['remote_address_10.0.0.1', 'remote_address_10_0_0_1'],
    ['masked_remote_address_0.0.0.0/0', 'masked_remote_address_0_0_0_0/0'],
    ['masked_remote_address_invert:192.0.2.0/24', 'masked_remote_address_invert_192_0_2_0/24'],
    ['10.0.0.1,10.0.0.2', '10_0_0_1,10_0_0_2'],
    ['10.0.0.1:8080', '10_0_0_1_8080'],
    ['file_a.txt', 'file_a.txt'],
    ['v1.2', 'v1.2'],
    ['version_1.2.3.4.5', 'version_1.2.3.4.5'],
    ['1234.5.6.7', '1234.5.6.7'],
    ['shop.example', 'shop.example'],
    ['word_a b-c/d_e', 'word_a b-c/d_e'],
    ['u_é', 'u_é'],
    ['2001:db8::1', '2001_db8__1'],
  ])('%s becomes %s', (text, expected) => {
    expect(labelText(text)).toBe(expected);
  });
});

describe('requestLabels()', () => {
  it.each<[string, Levels, string, [string, string?]]>([
    ['detailed_metric on a key', [{ key: 'user', detailedMetric: true }], 'user=al', ['user_al']],
    ['detailed_metric on a pattern', [{ key: 'p', value: 'a*', detailedMetric: true }], 'p=ab', ['p_ab']],
    [
      'detailed_metric, for the levels above as well',
      [{ key: 't', descriptors: [{ key: 'u', detailedMetric: true }] }],
      't=x,u=1',
      ['t_x', 'u_1'],
    ],
    [
      'value_to_metric, on its own level only',
      [{ key: 't', valueToMetric: true, descriptors: [{ key: 'u' }] }],
      't=x,u=1',
      ['t_x', 'u'],
    ],
    [
      'value_to_metric below another level',
      [{ key: 't', descriptors: [{ key: 'u', valueToMetric: true }] }],
      't=x,u=1',
      ['t', 'u_1'],
    ],
    ['an address', [{ key: 'ip', detailedMetric: true }], 'ip=10.0.0.1', ['ip_10_0_0_1']],
    ['an empty value', [{ key: 'user', detailedMetric: true }], 'user=', ['user']],
    ['text beyond ASCII', [{ key: 'user', detailedMetric: true }], 'user=é', ['user_é']],
  ])('shows the value with %s', (_, levels, descriptor, [key1, key2]) => {
    const rule = onlyRule('shop', levels);
    expect(requestLevels(rule)).not.toEqual([]);
    expect(requestLabels(rule, descriptorOf(descriptor).entries)).toEqual({
      domain: 'shop',
      key1,
      key2,
      deeper: [],
    });
  });

  it.each<[string, Levels, string, [string, string?]]>([
    [
      'share_threshold: there is one counter',
      [{ key: 's', value: 'a*', shareThreshold: true, detailedMetric: true, valueToMetric: true }],
      's=ab',
      ['s_a*'],
    ],
    [
      'detailed_metric of a level above the rule',
      [{ key: 'x', detailedMetric: true, descriptors: [{ key: 'y' }] }],
      'x=1,y=2',
      ['x', 'y'],
    ],
    ['an exact value: it is the same', [{ key: 'k', value: 'v', detailedMetric: true }], 'k=v', ['k_v']],
    [
      'a level that labels do not show',
      [{ key: 'a', descriptors: [{ key: 'b', descriptors: [{ key: 'c', valueToMetric: true }] }] }],
      'a=1,b=2,c=3',
      ['a', 'b'],
    ],
  ])('has the labels of the configuration with %s', (_, levels, descriptor, [key1, key2]) => {
    const rule = onlyRule('shop', levels);
    expect(requestLevels(rule)).toEqual([]);
    expect(requestLabels(rule, descriptorOf(descriptor).entries)).toEqual({
      domain: 'shop',
      key1,
      key2,
      deeper: [],
    });
  });

  it('cuts a long value, at the border of a character', () => {
    const rule = onlyRule('shop', [{ key: 'user', detailedMetric: true }]);
    const { key1 } = requestLabels(rule, descriptorOf(`user=${'é'.repeat(30_000)}x`).entries);
    expect(key1).toBe(`user_${'é'.repeat(64)}…`);
    expect(requestLabels(rule, descriptorOf(`user=a${'é'.repeat(30_000)}`).entries).key1).toBe(
      `user_a${'é'.repeat(63)}…`,
    );
  });
});

describe('otherValueLabels()', () => {
  it('says (other) where the value would be', () => {
    const levels = [{ key: 't', descriptors: [{ key: 'u', valueToMetric: true }] }];
    expect(otherValueLabels(onlyRule('shop', levels))).toEqual({
      domain: 'shop',
      key1: 't',
      key2: 'u_(other)',
      deeper: [],
    });
  });
});
