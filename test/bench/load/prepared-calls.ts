import { shouldRateLimit } from '../../support/grpc-client.ts';
import { domain } from '../rules.ts';
import { readEnvoyOctets } from './envoy-recording.ts';
import { flags, frameHeadLength, frameOf, frameTypes } from './frames.ts';

/** Calls as the octets that are sent. Only the stream's id is missing, in both frames. */
export interface PreparedCalls {
  /** What a connection begins with. */
  readonly opening: Buffer;
  /** HEADERS of a connection's first request. */
  readonly firstHeaders: Buffer;
  /** For each key, HEADERS of a later request and its DATA. */
  readonly pairs: readonly Buffer[];
  /** Where in a pair the DATA begins. */
  readonly dataAt: number;
  /** What the DATA of a pair takes from the server's window at most. */
  readonly largestData: number;
}

/** Where in a frame the id of its stream is. */
export const streamIdAt = 5;

export interface CallOptions {
  /** How many different users are asked for. */
  readonly keys: number;
  /** How many descriptors each request has. */
  readonly descriptors: number;
  readonly isWithTimeout: boolean;
}

/** Encodes all that is ever sent, so that a call costs the load generator little more than a copy. */
export function prepareCalls({ keys, descriptors, isWithTimeout }: CallOptions): PreparedCalls {
  const { opening, firstBlock, laterBlock } = readEnvoyOctets(isWithTimeout);
  const headersOf = (block: Buffer) => frameOf(frameTypes.headers, flags.endHeaders, 0, block);
  const laterHeaders = headersOf(laterBlock);
  const dataOf = (key: number) =>
    frameOf(frameTypes.data, flags.endStream, 0, grpcMessageOf(requestFor(key, descriptors)));
  const datas = Array.from({ length: keys }, (_, key) => dataOf(key));
  return {
    opening,
    firstHeaders: headersOf(firstBlock),
    pairs: datas.map((data) => Buffer.concat([laterHeaders, data])),
    dataAt: laterHeaders.length,
    largestData: Math.max(...datas.map(({ length }) => length - frameHeadLength)),
  };
}

function requestFor(key: number, descriptors: number) {
  return {
    domain,
    descriptors: Array.from({ length: descriptors }, (_, index) => ({
      entries: [{ key: 'user', value: `user-${key}-${index}` }],
    })),
  };
}

/** A message of gRPC: not compressed, its length, itself. */
function grpcMessageOf(request: object): Buffer {
  const message = shouldRateLimit.requestSerialize(request);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
