import type { YamlNode } from '../yaml/yaml-node.ts';
import { resolveScalar } from '../yaml/yaml-scalar.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/** So many shares are enough for anybody, and each is looked at for every hit. */
const maxShares = 10;

/** `warn_at`: a share of the limit, or several; ascending, each once. Faults are reported. */
export function parseWarnAt(reading: Reading, node: YamlNode | undefined): readonly number[] {
  if (node === undefined) return [];
  const content = reading.walk.enter(node);
  if (content === undefined) return [];
  const nodes = content.kind === 'sequence' ? content.items : [node];
  const shares =
    content.kind === 'sequence'
      ? nodes.map((item) => parseShare(reading, item))
      : [content.kind === 'scalar' ? shareOf(reading, node, content) : wrongType(reading, node)];
  reading.walk.leave(node);
  if (nodes.length > maxShares) {
    reading.report('error', 'bad-warn-at', node, `'warn_at' has at most ${maxShares} shares`);
  }
  const sound = shares.filter((share) => share !== undefined);
  return [...new Set(sound)].sort((a, b) => a - b);
}

function parseShare(reading: Reading, node: YamlNode): number | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  reading.walk.leave(node);
  return content.kind === 'scalar' ? shareOf(reading, node, content) : wrongType(reading, node);
}

/** Text is taken too: that is how a resource has numbers. */
function shareOf(reading: Reading, node: YamlNode, scalar: Parameters<typeof resolveScalar>[0]) {
  const value = resolveScalar(scalar);
  const isText = value.kind === 'text' && /^(0?\.\d+|1(\.0+)?)$/.test(value.value);
  const share = value.kind === 'float' || value.kind === 'integer' ? value.value : Number.NaN;
  const number = isText && value.kind === 'text' ? Number(value.value) : share;
  if (number > 0 && number <= 1) return number;
  const message = `'warn_at' is a share of the limit, above 0 and at most 1, such as 0.8, not '${shorten(scalar.text)}'`;
  reading.report('error', 'bad-warn-at', node, message);
  return undefined;
}

function wrongType(reading: Reading, node: YamlNode): undefined {
  reading.report(
    'error',
    'wrong-type',
    node,
    "'warn_at' is a share of the limit, such as 0.8, or a list of them",
  );
  return undefined;
}
