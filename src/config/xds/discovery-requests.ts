import type { DiscoveryRequest } from '../../gen/envoy/service/discovery/v3/discovery.ts';
import type { ConfigIssue } from '../../rules/issue.ts';
import { placeName } from '../../rules/place-name.ts';
import type { ResponseHead } from './read-response.ts';
import { resourceType } from './resource-type.ts';

/** Who we are for the control plane. */
export interface XdsNode {
  readonly id: string;
  readonly metadata: ReadonlyMap<string, string>;
}

/** google.rpc.Code. */
const invalidArgument = 3;

/** A header of HTTP/2 has room for it even where a proxy turns the message into one; nobody reads more. */
const maxMessageLength = 16 * 1024;

/** What Weir says on a stream, in the words of the xDS protocol's state of the world. */
export interface DiscoveryRequests {
  /** Asks for all resources. Without a version: a server that was restarted may count anew, and a number of before could be its own. */
  first(): DiscoveryRequest;
  /** In force. */
  ack(response: ResponseHead): DiscoveryRequest;
  /** Refused; what was accepted last stays. */
  nack(response: ResponseHead, problems: readonly string[]): DiscoveryRequest;
}

/** For one stream: versions and nonces are its own. */
export function createDiscoveryRequests(node: XdsNode): DiscoveryRequests {
  let accepted = '';
  const fields = { resourceNames: [], typeUrl: resourceType, errorDetail: undefined };
  const sender = {
    id: node.id,
    metadata: node.metadata.size === 0 ? undefined : Object.fromEntries(node.metadata),
    userAgentName: 'weir',
  };
  const request = (responseNonce: string): DiscoveryRequest => ({
    ...fields,
    node: sender,
    versionInfo: accepted,
    responseNonce,
  });
  return {
    first: () => request(''),
    ack({ versionInfo, nonce }) {
      accepted = versionInfo;
      return request(nonce);
    },
    nack: ({ nonce }, problems) => ({
      ...request(nonce),
      errorDetail: { code: invalidArgument, message: joined(problems) },
    }),
  };
}

/** An issue as the author of the resource should read it. */
export function problemText(issue: ConfigIssue): string {
  return `${placeName(issue.file, issue)}: ${issue.message} [${issue.code}]`;
}

function joined(problems: readonly string[]): string {
  let text = '';
  for (const [index, problem] of problems.entries()) {
    const line = index === 0 ? problem : `\n${problem}`;
    if (text.length + line.length > maxMessageLength) {
      return `${text}\n(${problems.length - index} more)`;
    }
    text += line;
  }
  return text;
}
