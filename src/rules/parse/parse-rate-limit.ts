import type { RateLimitDocument } from '../rules-document.ts';
import type { YamlContent, YamlMapping, YamlNode } from '../yaml/yaml-node.ts';
import { resolveScalar } from '../yaml/yaml-scalar.ts';
import { parseFields, severalLimitsHint } from './parse-fields.ts';
import { parseLimit } from './parse-limit.ts';
import { parseText } from './parse-values.ts';
import { parseWarnAt } from './parse-warn-at.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/** A name is shown in a header, `w=60;name="..."`, and headers have some kilobytes in all. */
export const maxNameLength = 1_024;

/** Printable ASCII but for what would need an escape in a quoted string (RFC 9110, 5.6.4). */
const namePattern = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** A `rate_limit`; undefined when there is none, or when it is faulty, which has been reported. */
export function parseRateLimit(reading: Reading, node: YamlNode): RateLimitDocument | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  const result = parseContent(reading, node, content);
  reading.walk.leave(node);
  return result;
}

function parseContent(reading: Reading, node: YamlNode, content: YamlContent): RateLimitDocument | undefined {
  if (content.kind === 'mapping') return parseMapping(reading, node, content);
  if (content.kind === 'scalar' && resolveScalar(content).kind === 'null') return undefined;
  const hint =
    content.kind === 'sequence'
      ? `'rate_limit' is one limit, a mapping; ${severalLimitsHint}`
      : "'rate_limit' is a mapping, such as {unit: minute, requests_per_unit: 5}";
  reading.report('error', 'wrong-type', node, hint);
  return undefined;
}

function parseMapping(reading: Reading, node: YamlNode, mapping: YamlMapping): RateLimitDocument | undefined {
  const fields = parseFields(reading, mapping, 'rate_limit');
  const name = parseName(reading, fields.get('name'));
  const replaces = parseReplaces(reading, fields.get('replaces'), name);
  const limit = parseLimit(reading, node, fields, name);
  const warnAt = parseWarnAt(reading, fields.get('warn_at'));
  if (limit === undefined) return undefined;
  return { ...limit, warnAt, name, replaces, at: reading.positionOf(node) };
}

function parseName(reading: Reading, node: YamlNode | undefined): string {
  const name = parseText(reading, node, 'name') ?? '';
  if (node === undefined || (namePattern.test(name) && name.length <= maxNameLength)) return name;
  const message = `a name is shown in headers: at most ${maxNameLength} printable ASCII characters, no double quote and no backslash`;
  reading.report('error', 'bad-name', node, message);
  return '';
}

function parseReplaces(reading: Reading, node: YamlNode | undefined, ownName: string): readonly string[] {
  if (node === undefined) return [];
  const content = reading.walk.enter(node);
  if (content === undefined) return [];
  const names: string[] = [];
  if (content.kind === 'sequence') {
    for (const item of content.items) {
      const name = parseReplaced(reading, item, ownName);
      if (name !== undefined) names.push(name);
    }
  } else if (content.kind === 'mapping' || resolveScalar(content).kind !== 'null') {
    reading.report('error', 'wrong-type', node, "'replaces' is a list, such as [{name: other}]");
  }
  reading.walk.leave(node);
  return names;
}

function parseReplaced(reading: Reading, item: YamlNode, ownName: string): string | undefined {
  const content = reading.walk.enter(item);
  if (content === undefined) return undefined;
  let name: string | undefined;
  if (content.kind === 'mapping') {
    const fields = parseFields(reading, content, 'replaces');
    const field = fields.get('name');
    name = parseText(reading, field, 'name');
    if (name === '' && field === undefined && fields.hasFaultyKeys) name = undefined;
    if (name === '')
      reading.report('error', 'replaces-without-name', field ?? item, 'an element of replaces needs a name');
    else if (name === ownName)
      reading.report('error', 'replaces-itself', field ?? item, 'a rule cannot replace itself');
  } else {
    const hint = content.kind === 'scalar' ? `; write {name: ${shorten(content.text)}}` : '';
    reading.report('error', 'wrong-type', item, `an element of replaces is a mapping with a name${hint}`);
  }
  reading.walk.leave(item);
  return name;
}
