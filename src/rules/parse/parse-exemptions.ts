import type { ExemptionDocument } from '../rules-document.ts';
import type { YamlMapping, YamlNode } from '../yaml/yaml-node.ts';
import { parseCidrs } from './parse-cidrs.ts';
import { type Fields, parseFields } from './parse-fields.ts';
import { parseTexts, type TextItem } from './parse-texts.ts';
import { parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';

/** Which values an exemption is for: one of these. */
const kinds = ['value', 'values', 'prefix', 'cidrs'] as const;

/** The `exemptions` of a domain. Nothing after the colon is no list: somebody may have meant some. */
export function parseExemptions(reading: Reading, node: YamlNode | undefined): readonly ExemptionDocument[] {
  if (node === undefined) return [];
  const content = reading.walk.enter(node);
  if (content === undefined) return [];
  const exemptions: ExemptionDocument[] = [];
  if (content.kind === 'sequence') {
    for (const item of content.items) {
      const exemption = parseExemption(reading, item);
      if (exemption !== undefined) exemptions.push(exemption);
    }
  } else {
    const message = "'exemptions' is a list, such as [{key: remote_address, cidrs: [10.20.0.0/16]}]";
    reading.report('error', 'wrong-type', node, message);
  }
  reading.walk.leave(node);
  return exemptions;
}

function parseExemption(reading: Reading, node: YamlNode): ExemptionDocument | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  let exemption: ExemptionDocument | undefined;
  if (content.kind === 'mapping') exemption = parseMapping(reading, content);
  else {
    const message = 'an exemption is a mapping, such as {key: api_key, value: internal}';
    reading.report('error', 'wrong-type', node, message);
  }
  reading.walk.leave(node);
  return exemption;
}

function parseMapping(reading: Reading, mapping: YamlMapping): ExemptionDocument {
  const fields = parseFields(reading, mapping, 'exemption');
  const key = parseText(reading, fields.get('key'), 'key');
  const given = kinds.filter((kind) => fields.get(kind) !== undefined);
  if (key === '' && !fields.hasFaultyKeys)
    report(reading, fields.get('key') ?? mapping, "an exemption needs a 'key'");
  if (given.length !== 1 && !fields.hasFaultyKeys) {
    report(reading, mapping, `an exemption has one of ${kinds.join(', ')}; write one for each`);
  }
  const prefix = parseLiteral(reading, fields, 'prefix');
  return {
    at: reading.positionOf(mapping),
    key: key ?? '',
    values: parseValues(reading, fields),
    prefix,
    cidrs: parseCidrs(reading, fields.get('cidrs')),
  };
}

function parseValues(reading: Reading, fields: Fields): readonly string[] {
  const value = parseLiteral(reading, fields, 'value');
  const node = fields.get('values');
  const items = parseTexts(reading, node, 'values', '[internal, probe]') ?? [];
  if (node !== undefined && items.length === 0) report(reading, node, "'values' needs a value");
  for (const item of items) checkLiteral(reading, item, 'values');
  return [...(value === undefined ? [] : [value]), ...items.map(({ text }) => text)];
}

function parseLiteral(reading: Reading, fields: Fields, name: 'value' | 'prefix'): string | undefined {
  const node = fields.get(name);
  const text = parseText(reading, node, name);
  if (node === undefined || text === undefined) return undefined;
  checkLiteral(reading, { node, text }, name);
  return text;
}

/** What is empty would be meant by mistake, and a star as in a rule. Too few are exempt then, or all. */
function checkLiteral(reading: Reading, { node, text }: TextItem, name: string): void {
  if (text === '') report(reading, node, `'${name}' of an exemption must not be empty`);
  else if (text.includes('*')) {
    report(reading, node, "an exemption has no patterns; write 'prefix' without the star");
  }
}

function report(reading: Reading, node: YamlNode, message: string): void {
  reading.report('error', 'bad-exemption', node, message);
}
