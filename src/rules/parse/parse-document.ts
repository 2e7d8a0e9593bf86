import type { RulesDocument } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseDomainOptions } from './parse-domain-options.ts';
import { parseExemptions } from './parse-exemptions.ts';
import { parseFields } from './parse-fields.ts';
import { parseDescriptors } from './parse-rule.ts';
import { parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';

/** The rules of one domain, from the tree that a file or a resource is; undefined when it is none. Faults are reported. */
export function parseDocument(reading: Reading, file: string, root: YamlNode): RulesDocument | undefined {
  const content = reading.walk.enter(root);
  if (content === undefined) return undefined;
  if (content.kind !== 'mapping') {
    reading.report('error', 'wrong-type', root, "a file of rules is a mapping with a 'domain'");
    return undefined;
  }
  const fields = parseFields(reading, content, 'file');
  const node = fields.get('domain');
  const domain = parseText(reading, node, 'domain');
  if (domain === '' && !(node === undefined && fields.hasFaultyKeys)) {
    reading.report('error', 'empty-domain', node ?? root, "a file of rules needs a 'domain'");
  }
  const options = parseDomainOptions(reading, fields);
  const exemptions = parseExemptions(reading, fields.get('exemptions'));
  const descriptors = parseDescriptors(reading, fields.get('descriptors'));
  reading.walk.leave(root);
  return {
    file,
    domain: domain ?? '',
    at: reading.positionOf(node ?? root),
    options,
    exemptions,
    descriptors,
  };
}
