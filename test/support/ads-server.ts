import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { DiscoveryRequest, DiscoveryResponse } from '../../src/gen/envoy/service/discovery/v3/discovery.ts';
import { RateLimitConfig } from '../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';

const typeUrl = 'type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig';

type Stream = ServerDuplexStream<DiscoveryRequest, DiscoveryResponse | Buffer>;

/** A resource that holds rules, or the octets of one that may be broken. */
export type SentResource =
  | Partial<RateLimitConfig>
  | { readonly octets: Uint8Array; readonly typeUrl?: string };

/** A control plane of the test's own, of grpc-js: aggregated discovery, state of the world. */
export interface AdsServer {
  readonly address: string;
  readonly port: number;
  /** Every request so far, in order; of all streams. */
  readonly requests: readonly DiscoveryRequest[];
  /** Headers of each stream. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  readonly streams: () => number;
  /** Makes these the resources. Who has answered the last response gets them at once, others when they answer. */
  set(version: string, resources: readonly SentResource[]): void;
  /** Sends a response as it is, or octets that may be none, whatever was answered. */
  push(response: Partial<DiscoveryResponse> | Buffer): void;
  /** Ends all streams; new ones are welcome. */
  endStreams(): void;
  stop(): Promise<void>;
}

interface Subscriber {
  readonly stream: Stream;
  /** The version that was sent last. */
  sent: string | undefined;
  isAnswered: boolean;
}

export interface AdsServerOptions {
  readonly credentials?: ServerCredentials;
  /** Of 127.0.0.1; a free one unless given. */
  readonly port?: number;
}

export async function startAdsServer(options: AdsServerOptions = {}): Promise<AdsServer> {
  const { credentials = ServerCredentials.createInsecure(), port: wantedPort = 0 } = options;
  const requests: DiscoveryRequest[] = [];
  const headers: Record<string, unknown>[] = [];
  const subscribers = new Set<Subscriber>();
  let state: { version: string; resources: readonly SentResource[] } | undefined;
  let nonce = 0;

  function offer(one: Subscriber): void {
    if (state === undefined || !one.isAnswered || one.sent === state.version) return;
    one.sent = state.version;
    one.isAnswered = false;
    const resources = state.resources.map(resourceOf);
    one.stream.write({ versionInfo: state.version, resources, typeUrl, nonce: String(++nonce) });
  }

  function handle(stream: Stream): void {
    const one: Subscriber = { stream, sent: undefined, isAnswered: true };
    subscribers.add(one);
    headers.push(stream.metadata.getMap());
    stream.on('data', (request: DiscoveryRequest) => {
      requests.push(request);
      one.isAnswered = true;
      offer(one);
    });
    stream.on('error', () => {});
    stream.on('cancelled', () => subscribers.delete(one));
    stream.on('end', () => {
      subscribers.delete(one);
      stream.end();
    });
  }

  const server = new Server();
  server.addService(service, { StreamAggregatedResources: handle });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${wantedPort}`, credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    address: `127.0.0.1:${port}`,
    port,
    requests,
    headers,
    streams: () => subscribers.size,
    set(version, resources) {
      state = { version, resources };
      for (const one of subscribers) offer(one);
    },
    push(response) {
      const whole = Buffer.isBuffer(response)
        ? response
        : { versionInfo: '', resources: [], typeUrl, nonce: '', ...response };
      for (const { stream } of subscribers) stream.write(whole);
    },
    endStreams() {
      for (const { stream } of [...subscribers]) stream.end();
      subscribers.clear();
    },
    stop: async () => server.forceShutdown(),
  };
}

const service = {
  StreamAggregatedResources: {
    path: '/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources',
    requestStream: true,
    responseStream: true,
    requestSerialize: (request: DiscoveryRequest) => Buffer.from(DiscoveryRequest.encode(request).finish()),
    requestDeserialize: (octets: Buffer) => DiscoveryRequest.decode(octets),
    responseSerialize: (response: DiscoveryResponse | Buffer) =>
      Buffer.isBuffer(response) ? response : Buffer.from(DiscoveryResponse.encode(response).finish()),
    responseDeserialize: (octets: Buffer) => DiscoveryResponse.decode(octets),
  },
} as const;

function resourceOf(sent: SentResource): { typeUrl: string; value: Buffer } {
  if ('octets' in sent) return { typeUrl: sent.typeUrl ?? typeUrl, value: Buffer.from(sent.octets) };
  return { typeUrl, value: Buffer.from(RateLimitConfig.encode(RateLimitConfig.fromPartial(sent)).finish()) };
}
