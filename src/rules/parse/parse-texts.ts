import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';

/** An element of a list, and where it stands. */
export interface TextItem {
  readonly node: YamlNode;
  readonly text: string;
}

/**
 * A list of texts, without the elements that are faulty, which has been reported.
 * @param example for messages: such as `[a, b]`
 * @returns undefined where nothing is said, and for what is no list, which has been reported
 */
export function parseTexts(
  reading: Reading,
  node: YamlNode | undefined,
  name: string,
  example: string,
): readonly TextItem[] | undefined {
  if (node === undefined) return undefined;
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  let items: TextItem[] | undefined;
  if (content.kind === 'sequence') {
    items = [];
    for (const item of content.items) {
      const text = parseText(reading, item, name);
      if (text !== undefined) items.push({ node: item, text });
    }
  } else {
    reading.report('error', 'wrong-type', node, `'${name}' is a list, such as ${example}`);
  }
  reading.walk.leave(node);
  return items;
}
