import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Client, type ClientOptions, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { type ChannelSockets, watchSockets } from './channel-sockets.ts';
import { hostOf, serverCredentials } from './server-credentials.ts';

/** TLS to a server, all in PEM. */
export interface ChannelTls {
  /** Authorities that the server's certificate may come from; undefined: the well-known ones. */
  readonly ca: string | undefined;
  /** Ours, for servers that ask for one. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The name that the server's certificate must have; undefined: that of the address. */
  readonly serverName?: string | undefined;
}

export interface ChannelOptions {
  /** `host:port`, or another target of gRPC such as `dns:///host:port` or `unix:/path`. */
  readonly address: string;
  /** undefined: without. */
  readonly tls: ChannelTls | undefined;
  readonly maxMessageBytes: number;
  /** A connection on which nothing is said is asked for a sign of life after this time, in ms. */
  readonly pingIntervalMs: number;
}

export interface ClientChannel {
  readonly client: Client;
  close(): void;
}

/**
 * The library has no end to connecting: a peer that takes connections and says nothing would be waited for without end. All
 * of it has to be done in this time: name, TCP, TLS, and the peer's first words of HTTP/2.
 */
export const connectTimeoutMs = 10_000;

const pingTimeoutMs = 20_000;

/** 60,000 rules in windows of 64 KiB would need a round trip to the server for each of a hundred windows. */
const flowControlWindow = 4 * 1024 * 1024;

/**
 * A channel of its own each time: nothing of an earlier try, its certificates least of all, is used again. Throws when the
 * certificates fit nothing, or the address is none.
 */
export function openChannel({
  address,
  tls,
  maxMessageBytes,
  pingIntervalMs,
}: ChannelOptions): ClientChannel {
  const options = {
    'grpc.use_local_subchannel_pool': 1,
    // Nothing but the settings reads the environment, which may name a proxy.
    'grpc.enable_http_proxy': 0,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': pingIntervalMs,
    'grpc.keepalive_timeout_ms': pingTimeoutMs,
    'grpc-node.flow_control_window': flowControlWindow,
  };
  const made = tls === undefined ? credentials.createInsecure() : secured(address, tls);
  const sockets: ChannelSockets = watchSockets(made);
  const client = new Client(address, made, { ...options, ...expectedName(tls) });
  return {
    client,
    close() {
      client.close();
      sockets.close();
    },
  };
}

function secured(address: string, { serverName, ca, cert, key }: ChannelTls) {
  return serverCredentials(createSecureContext({ ca, cert, key }), serverName ?? hostOf(address));
}

function expectedName(tls: ChannelTls | undefined): ClientOptions {
  const name = tls?.serverName;
  return name === undefined || isIP(name) !== 0 ? {} : { 'grpc.ssl_target_name_override': name };
}

/** The library adds the time to what it says of connections, which would make each try a new problem, and an empty note. */
const additions = /\s*\(\d{4}-\d\d-\d\dT[\d:.]+Z\)|\s*\. Resolution note:\s*$/g;

/** Why a call failed: gRPC's status, or what went wrong before. */
export function callFailure(error: unknown): string {
  const { code, details, message } = error as Partial<ServiceError>;
  if (code === undefined) return String(message);
  return `${status[code] ?? code}: ${String(details).replaceAll(additions, '')}`;
}
