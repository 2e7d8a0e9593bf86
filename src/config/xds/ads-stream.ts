import { Metadata } from '@grpc/grpc-js';
import { DiscoveryRequest } from '../../gen/envoy/service/discovery/v3/discovery.ts';
import {
  type ChannelTls,
  callFailure,
  connectTimeoutMs,
  openChannel,
} from '../../grpc-client/client-channel.ts';
import { createPace } from '../../grpc-client/paced-call.ts';

const path = '/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources';

export interface AdsServer {
  /** `host:port`, or another target of gRPC such as `dns:///host:port` or `unix:/path`. */
  readonly address: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** undefined: without. Asked at each connection, so that a new certificate counts with the next. */
  readonly tls: () => ChannelTls | undefined;
  readonly maxMessageBytes: number;
}

/** Why there is no stream any more, or none in the first place. */
export interface StreamEnd {
  /** The server was reached. */
  readonly wasConnected: boolean;
  /** For the log: gRPC's status, or what went wrong before. */
  readonly reason: string;
}

/** One stream, on a connection of its own. */
export interface AdsStream {
  send(request: DiscoveryRequest): void;
  /** The server's messages, undecoded; the next is taken when the one before has been dealt with. Ends without an exception. */
  responses(): AsyncIterable<Buffer>;
  /** Why it ended; to be asked for after `responses`. */
  end(): StreamEnd;
  /** Ends it for a reason of ours. */
  fail(reason: string): void;
  close(): void;
}

/**
 * Silence is no fault in xDS, so a dead peer is found by pings only. Servers in Go take more than one in 5 minutes for an
 * attack, and end the connection.
 */
const pingIntervalMs = 330_000;

/** @param onConnected the peer speaks HTTP/2 */
export function openAdsStream(server: AdsServer, onConnected: () => void): AdsStream {
  const { address, maxMessageBytes } = server;
  const channel = openChannel({ address, tls: server.tls(), maxMessageBytes, pingIntervalMs });
  const { client } = channel;
  const pace = createPace();
  const options = { interceptors: [pace.interceptor] };
  const call = client.makeBidiStreamRequest(path, serialize, (octets) => octets, metadataOf(server), options);
  // What breaks it is thrown to whoever reads; a write that comes too late must not end the process.
  call.on('error', () => {});
  let wasConnected = false;
  /** The first reason counts: what follows is of our making. */
  let reason: string | undefined;
  const fail = (why: string) => {
    reason ??= why;
    call.cancel();
  };
  client.waitForReady(Date.now() + connectTimeoutMs, (error) => {
    if (error != null) return fail(`no connection within ${connectTimeoutMs / 1000} s`);
    wasConnected = true;
    onConnected();
  });

  return {
    send: (request) => void call.write(request),
    async *responses() {
      try {
        for await (const message of call as AsyncIterable<Buffer>) {
          yield message;
          pace.next();
        }
      } catch (error) {
        reason ??= callFailure(error);
      }
    },
    fail,
    end: () => ({ wasConnected, reason: reason ?? 'the server ended the stream' }),
    close() {
      call.cancel();
      channel.close();
    },
  };
}

function serialize(request: DiscoveryRequest): Buffer {
  return Buffer.from(DiscoveryRequest.encode(request).finish());
}

function metadataOf({ headers }: AdsServer): Metadata {
  const metadata = new Metadata();
  // gRPC sends values of such names in base64, whatever their octets.
  for (const [name, value] of headers) metadata.add(name, name.endsWith('-bin') ? Buffer.from(value) : value);
  return metadata;
}
