import { ipv4Offset, isIpv4Network, networkOfText } from '../../domain/ip-network.ts';
import { readLength } from '../networks/parse-network.ts';
import type { AggregateDocument } from '../rules-document.ts';
import type { YamlNode } from '../yaml/yaml-node.ts';
import { parseFields } from './parse-fields.ts';
import { parseText } from './parse-values.ts';
import type { Reading } from './reading.ts';
import { shorten } from './shorten.ts';

/** What else a rule says of the values that it is for. */
export interface AggregateContext {
  /** undefined when it is faulty. */
  readonly value: string | undefined;
  readonly cidrs: readonly string[];
  readonly isShared: boolean;
}

const bitsOf = { ipv4: 32, ipv6: 128 } as const;
type Family = keyof typeof bitsOf;

/**
 * `/64`, which is about IPv6, or `{ipv4: /24, ipv6: /64}`.
 * @returns undefined where nothing is said, or nothing sound, which has been reported
 */
export function parseAggregate(
  reading: Reading,
  node: YamlNode | undefined,
  context: AggregateContext,
): AggregateDocument | undefined {
  if (node === undefined) return undefined;
  const aggregate = parseLengths(reading, node);
  if (aggregate === undefined) return undefined;
  const fault = findFault(aggregate, context);
  if (fault !== undefined) reading.report('error', 'bad-aggregate', node, fault);
  return aggregate;
}

function parseLengths(reading: Reading, node: YamlNode): AggregateDocument | undefined {
  const content = reading.walk.enter(node);
  if (content === undefined) return undefined;
  let aggregate: AggregateDocument | undefined;
  if (content.kind === 'mapping') {
    const fields = parseFields(reading, content, 'aggregate');
    const [ipv4, ipv6] = (['ipv4', 'ipv6'] as const).map((family) =>
      parseLength(reading, fields.get(family), family),
    );
    if (ipv4 !== undefined || ipv6 !== undefined) aggregate = { ipv4, ipv6 };
    else if (!fields.hasFaultyKeys && fields.get('ipv4') === undefined && fields.get('ipv6') === undefined) {
      reading.report('error', 'bad-aggregate', node, "'aggregate' needs a length for 'ipv4' or 'ipv6'");
    }
  } else if (content.kind === 'scalar') {
    const ipv6 = parseLength(reading, node, 'ipv6');
    if (ipv6 !== undefined) aggregate = { ipv4: undefined, ipv6 };
  } else {
    reading.report('error', 'wrong-type', node, "'aggregate' is a length, such as /64, not a list");
  }
  reading.walk.leave(node);
  return aggregate;
}

/** `/24`. A length of 0 would be one counter for all, which needs no addresses. */
function parseLength(reading: Reading, node: YamlNode | undefined, family: Family): number | undefined {
  if (node === undefined) return undefined;
  const text = parseText(reading, node, 'aggregate');
  if (text === undefined) return undefined;
  const bits = bitsOf[family];
  const length = text.startsWith('/') ? readLength(text.slice(1), bits) : undefined;
  if (length !== undefined && length > 0) return length;
  const forIpv4 = family === 'ipv6' ? '; for IPv4 as well write {ipv4: /24, ipv6: /64}' : '';
  const message = `the length of an ${family === 'ipv4' ? 'IPv4' : 'IPv6'} network is /1 to /${bits}, not '${shorten(text)}'${forIpv4}`;
  reading.report('error', 'bad-aggregate', node, message);
  return undefined;
}

/** A rule whose addresses are one counter already, or would share it with addresses of another rule. */
function findFault(
  aggregate: AggregateDocument,
  { value, cidrs, isShared }: AggregateContext,
): string | undefined {
  if (value !== undefined && value !== '') {
    return `'aggregate' groups the addresses that requests bring, and this rule is for the value '${shorten(value)}'; write 'cidrs' for networks, or leave out one of both`;
  }
  if (isShared) return "with 'share_threshold' all addresses have one counter; leave out one of both";
  const smaller = cidrs.find((cidr) => isNarrower(cidr, aggregate));
  if (smaller === undefined) return undefined;
  return `'aggregate' is wider than ${smaller} of the same rule; for one counter write 'share_threshold: true' instead`;
}

function isNarrower(cidr: string, { ipv4, ipv6 }: AggregateDocument): boolean {
  const network = networkOfText(cidr);
  if (isIpv4Network(network)) return ipv4 !== undefined && ipv4 + ipv4Offset < network.length;
  return ipv6 !== undefined && ipv6 < network.length;
}
