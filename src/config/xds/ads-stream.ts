import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import {
  type ChannelCredentials,
  Client,
  type ClientOptions,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { DiscoveryRequest } from '../../gen/envoy/service/discovery/v3/discovery.ts';
import { type ChannelSockets, watchSockets } from '../../grpc-client/channel-sockets.ts';
import { hostOf, serverCredentials } from '../../grpc-client/server-credentials.ts';
import { createPace } from './paced-call.ts';

const path = '/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources';

/** TLS to the server, all in PEM. */
export interface XdsTls {
  /** Authorities that the server's certificate may come from; undefined: those of the system. */
  readonly ca: string | undefined;
  /** Ours, for servers that ask for one. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The name that the server's certificate must have; undefined: that of the address. */
  readonly serverName: string | undefined;
}

export interface AdsServer {
  /** `host:port`, or another target of gRPC such as `dns:///host:port` or `unix:/path`. */
  readonly address: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** undefined: without. Asked at each connection, so that a new certificate counts with the next. */
  readonly tls: () => XdsTls | undefined;
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
 * The library has no end to connecting: a peer that takes connections and says nothing would be waited for without end. All
 * of it has to be done in this time: name, TCP, TLS, and the peer's first words of HTTP/2.
 */
const connectTimeoutMs = 10_000;

/**
 * Silence is no fault in xDS, so a dead peer is found by pings only. Servers in Go take more than one in 5 minutes for an
 * attack, and end the connection.
 */
const pingIntervalMs = 330_000;
const pingTimeoutMs = 20_000;

const flowControlWindow = 4 * 1024 * 1024;

/** @param onConnected the peer speaks HTTP/2 */
export function openAdsStream(server: AdsServer, onConnected: () => void): AdsStream {
  const { client, sockets } = createClient(server);
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
        reason ??= reasonOf(error);
      }
    },
    fail,
    end: () => ({ wasConnected, reason: reason ?? 'the server ended the stream' }),
    close() {
      call.cancel();
      client.close();
      sockets.close();
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

/** A channel of its own each time: nothing of an earlier try, its certificates least of all, is used again. */
function createClient(server: AdsServer): { readonly client: Client; readonly sockets: ChannelSockets } {
  const { address, tls, maxMessageBytes } = server;
  const material = tls();
  const options = {
    'grpc.use_local_subchannel_pool': 1,
    // Nothing but the settings reads the environment, which may name a proxy.
    'grpc.enable_http_proxy': 0,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': pingIntervalMs,
    'grpc.keepalive_timeout_ms': pingTimeoutMs,
    // 60,000 rules in windows of 64 KiB would need a round trip to the server for each of a hundred windows.
    'grpc-node.flow_control_window': flowControlWindow,
  };
  if (material === undefined) return watched(address, credentials.createInsecure(), options);
  const { serverName, ca, cert, key } = material;
  const context = createSecureContext({ ca, cert, key });
  const named =
    serverName === undefined || isIP(serverName) !== 0 ? {} : { 'grpc.ssl_target_name_override': serverName };
  return watched(address, serverCredentials(context, serverName ?? hostOf(address)), {
    ...options,
    ...named,
  });
}

function watched(address: string, made: ChannelCredentials, options: ClientOptions) {
  const sockets = watchSockets(made);
  return { client: new Client(address, made, options), sockets };
}

/** The library adds the time to what it says of connections, which would make each try a new problem, and an empty note. */
const additions = /\s*\(\d{4}-\d\d-\d\dT[\d:.]+Z\)|\s*\. Resolution note:\s*$/g;

function reasonOf(error: unknown): string {
  const { code, details, message } = error as Partial<ServiceError>;
  if (code === undefined) return String(message);
  return `${status[code] ?? code}: ${String(details).replaceAll(additions, '')}`;
}
