import { isPattern } from '../patterns/pattern.ts';
import type { RuleDocument } from '../rules-document.ts';
import type { YamlMapping, YamlNode } from '../yaml/yaml-node.ts';
import { resolveScalar } from '../yaml/yaml-scalar.ts';
import { parseAggregate } from './parse-aggregate.ts';
import { parseCidrs } from './parse-cidrs.ts';
import { parseFailurePolicy } from './parse-failure-policy.ts';
import { type Fields, parseFields } from './parse-fields.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parseLimits } from './parse-rate-limits.ts';
import { parseBoolean, parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';

/** A `descriptors` list. Nothing at all is an empty list. */
export function parseDescriptors(reading: Reading, node: YamlNode | undefined): readonly RuleDocument[] {
  if (node === undefined) return [];
  const content = reading.walk.enter(node);
  if (content === undefined) return [];
  const rules: RuleDocument[] = [];
  if (content.kind === 'sequence') {
    for (const item of content.items) {
      const rule = parseRule(reading, item);
      if (rule !== undefined) rules.push(rule);
    }
  } else if (content.kind === 'mapping' || resolveScalar(content).kind !== 'null') {
    const hint = content.kind === 'mapping' ? "; begin each rule with '- '" : '';
    reading.report('error', 'wrong-type', node, `'descriptors' is a list of rules${hint}`);
  }
  reading.walk.leave(node);
  return rules;
}

function parseRule(reading: Reading, node: YamlNode): RuleDocument | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  let rule: RuleDocument | undefined;
  if (content.kind === 'mapping') {
    rule = parseRuleMapping(reading, content);
  } else {
    const what =
      content.kind === 'sequence' ? 'a list' : resolveScalar(content).kind === 'null' ? 'nothing' : 'a word';
    reading.report('error', 'wrong-type', node, `a rule is a mapping with a key, not ${what}`);
  }
  reading.walk.leave(node);
  return rule;
}

function parseRuleMapping(reading: Reading, mapping: YamlMapping): RuleDocument {
  const fields = parseFields(reading, mapping, 'rule');
  const metadata = fields.get('metadata');
  const value = parseText(reading, fields.get('value'), 'value');
  const cidrs = parseRuleCidrs(reading, fields, value);
  const isShared = parseShareThreshold(reading, fields, value);
  return {
    at: reading.positionOf(mapping),
    key: parseKey(reading, mapping, fields),
    value: value ?? '',
    cidrs,
    aggregate: parseAggregate(reading, fields.get('aggregate'), { value, cidrs, isShared }),
    rateLimits: parseLimits(reading, fields.get('rate_limit'), fields.get('rate_limits')),
    shadowMode: parseFlag(reading, fields, 'shadow_mode'),
    quotaMode: parseFlag(reading, fields, 'quota_mode'),
    detailedMetric: parseFlag(reading, fields, 'detailed_metric'),
    valueToMetric: parseFlag(reading, fields, 'value_to_metric'),
    shareThreshold: isShared,
    failurePolicy: parseFailurePolicy(reading, fields.get('failure_policy')),
    sensitive: parseFlag(reading, fields, 'sensitive'),
    metadata: metadata === undefined ? undefined : parseMetadata(reading, metadata),
    descriptors: parseDescriptors(reading, fields.get('descriptors')),
  };
}

function parseFlag(reading: Reading, fields: Fields, name: string): boolean {
  return parseBoolean(reading, fields.get(name), name) ?? false;
}

function parseKey(reading: Reading, mapping: YamlMapping, fields: Fields): string {
  const node = fields.get('key');
  const key = parseText(reading, node, 'key');
  if (key === '' && !(node === undefined && fields.hasFaultyKeys))
    reading.report('error', 'empty-key', node ?? mapping, "a rule needs a 'key'");
  return key ?? '';
}

function parseRuleCidrs(reading: Reading, fields: Fields, value: string | undefined): readonly string[] {
  const node = fields.get('cidrs');
  if (node !== undefined && value !== undefined && value !== '') {
    const message = "a rule has either 'value' or 'cidrs'; write two rules";
    reading.report('error', 'value-and-cidrs', node, message);
  }
  return parseCidrs(reading, node);
}

/** Keys are literal, so only a value with a star is a pattern that can be shared, or the values in networks. */
function parseShareThreshold(reading: Reading, fields: Fields, value: string | undefined): boolean {
  const isShared = parseFlag(reading, fields, 'share_threshold');
  const node = fields.get('share_threshold');
  const hasOneValue = value !== undefined && !isPattern(value) && fields.get('cidrs') === undefined;
  if (isShared && node !== undefined && hasOneValue) {
    const message =
      "'share_threshold' needs a value with a star, or 'cidrs': without one there is nothing to share";
    reading.report('error', 'share-threshold-without-star', node, message);
  }
  return isShared;
}
