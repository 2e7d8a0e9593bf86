import { describe, expect, it } from 'vitest';
import { ruleStatName, statName, tagSuffix } from './stat-names.ts';

const nowhere: readonly string[] = [];

describe('names for statsd', () => {
  it.each([
    [{ domain: 'shop', key1: 'ip', key2: undefined, deeper: nowhere }, 'shop.ip'],
    [{ domain: 'shop', key1: 'a_1', key2: 'b', deeper: nowhere }, 'shop.a_1.b'],
    [{ domain: 'shop.eu', key1: 'a', key2: 'b', deeper: ['c_2', 'd'] }, 'shop.eu.a.b.c_2.d'],
    [{ domain: 'a\nb', key1: 'c:d|e', key2: undefined, deeper: nowhere }, 'a_b.c_d_e'],
  ])('%j', (labels, name) => {
    expect(ruleStatName(labels)).toBe(`ratelimit.service.rate_limit.${name}`);
  });

  it.each([
    ['a:1|c\nb', 'a_1_c_b'],
    ['path_/v1/*', 'path_/v1/*'],
    ['é\u0000\r', '___'],
    ['#x@y,z', '#x@y,z'],
  ])('%j becomes %j, which ends no line', (text, name) => {
    expect(statName(text)).toBe(name);
  });

  it.each<[[string, string][], string]>([
    [[], ''],
    [[['env', 'prod']], '.__env=prod'],
    [
      [
        ['team', 'edge.eu'],
        ['env', 'a:b'],
      ],
      '.__env=a_b.__team=edge_eu',
    ],
  ])('tags %j are %j', (tags, suffix) => {
    expect(tagSuffix(tags)).toBe(suffix);
  });
});
