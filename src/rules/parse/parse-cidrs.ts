import { compareNetworks, type IpNetwork, isWithin, networkText } from '../../domain/ip-network.ts';
import { parseNetwork } from '../networks/parse-network.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseTexts, type TextItem } from './parse-texts.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

interface Listed {
  readonly node: YamlNode;
  readonly network: IpNetwork;
}

/**
 * A list of networks, each once, in the text and order of `domain/ip-network.ts`: what they mean does not depend on how they
 * are written, and neither does the counter that they share.
 * @returns empty where nothing is said, or nothing sound, which has been reported
 */
export function parseCidrs(reading: Reading, node: YamlNode | undefined): readonly string[] {
  const items = parseTexts(reading, node, 'cidrs', '[10.20.0.0/16, "2001:db8:5::/48"]');
  if (node === undefined || items === undefined) return [];
  if (items.length === 0) reading.report('error', 'bad-network', node, "'cidrs' needs a network");
  const listed = items.flatMap((item) => parseListed(reading, item) ?? []);
  listed.sort((a, b) => compareNetworks(a.network, b.network));
  reportOverlaps(reading, listed);
  return [...new Set(listed.map(({ network }) => networkText(network)))];
}

function parseListed(reading: Reading, { node, text }: TextItem): Listed | undefined {
  // No network is as long as what is shortened, and a message shows what is not one.
  const parsed = parseNetwork(shorten(text));
  if (parsed.kind === 'fault') {
    reading.report('error', 'bad-network', node, parsed.message);
    return undefined;
  }
  const { network, hasHostBits } = parsed;
  if (hasHostBits) {
    const message = `'${text}' has bits behind its length and is taken as ${networkText(network)}; write that`;
    reading.report('lint', 'network-with-host-bits', node, message);
  }
  return { node, network };
}

/** In this order a network comes after all that it is in, and the one before it, or one around that, is the smallest. */
function reportOverlaps(reading: Reading, listed: readonly Listed[]): void {
  const around: IpNetwork[] = [];
  for (const { node, network } of listed) {
    while (around.length > 0 && !isWithin(network, around.at(-1) as IpNetwork)) around.pop();
    const outer = around.at(-1);
    if (outer !== undefined) {
      const message = `${networkText(network)} adds nothing to ${networkText(outer)} of the same list`;
      reading.report('lint', 'overlapping-networks', node, message);
    }
    around.push(network);
  }
}
