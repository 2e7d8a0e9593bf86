import { type Metadata, Server, ServerCredentials, type ServerDuplexStream, status } from '@grpc/grpc-js';
import {
  AuthenticateRequest,
  AuthenticateResponse,
  RangeRequest,
  RangeResponse,
  WatchRequest,
  WatchResponse,
} from '../../src/gen/etcdserverpb/rpc.ts';

type WatchStream = ServerDuplexStream<WatchRequest, Partial<WatchResponse>>;

/** What an etcd does that is told what to do; 'silence' answers nothing. */
export interface EtcdScript {
  /** A text is refused as UNAUTHENTICATED. */
  readonly range: (request: RangeRequest, token: string) => Partial<RangeResponse> | string | 'silence';
  readonly watch: (request: WatchRequest, stream: WatchStream) => void;
}

export interface FakeEtcd {
  readonly address: string;
  readonly logins: readonly AuthenticateRequest[];
  readonly ranges: readonly { readonly token: string; readonly hasLeader: boolean }[];
  /** Revisions from which changes were asked for. */
  readonly watches: readonly bigint[];
  stop(): void;
}

/** An etcd that follows a script, for what a real one does rarely or never. */
export async function startFakeEtcd(script: EtcdScript): Promise<FakeEtcd> {
  const logins: AuthenticateRequest[] = [];
  const ranges: { token: string; hasLeader: boolean }[] = [];
  const watches: bigint[] = [];
  const server = new Server();
  server.addService(service, {
    authenticate(call: Call<AuthenticateRequest>, answer: Answer<AuthenticateResponse>) {
      logins.push(call.request);
      answer(null, { token: `token-${logins.length}` });
    },
    range(call: Call<RangeRequest>, answer: Answer<Partial<RangeResponse>>) {
      const token = String(call.metadata.get('token')[0] ?? '');
      ranges.push({ token, hasLeader: call.metadata.get('hasleader')[0] === 'true' });
      const response = script.range(call.request, token);
      if (response === 'silence') return;
      if (typeof response === 'string') answer({ code: status.UNAUTHENTICATED, details: response });
      else answer(null, response);
    },
    watch(stream: WatchStream) {
      stream.on('error', () => {});
      stream.on('end', () => stream.end());
      stream.on('data', (request: WatchRequest) => {
        watches.push(request.requestUnion?.value.startRevision ?? 0n);
        script.watch(request, stream);
      });
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { address: `127.0.0.1:${port}`, logins, ranges, watches, stop: () => server.forceShutdown() };
}

interface Call<T> {
  readonly request: T;
  readonly metadata: Metadata;
}

type Answer<T> = (error: { code: number; details: string } | null, value?: T) => void;

/** How messages of a type are read and written. */
interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(octets: Uint8Array): T;
  fromPartial(message: Partial<T>): T;
}

function method<Request, Response>(
  path: string,
  isStream: boolean,
  codecs: readonly [Codec<Request>, Codec<Response>],
) {
  const [request, response] = codecs;
  return {
    path,
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: (one: Request) => Buffer.from(request.encode(one).finish()),
    requestDeserialize: (octets: Buffer) => request.decode(octets),
    responseSerialize: (one: Partial<Response>) =>
      Buffer.from(response.encode(response.fromPartial(one)).finish()),
    responseDeserialize: (octets: Buffer) => response.decode(octets),
  };
}

const service = {
  authenticate: method('/etcdserverpb.Auth/Authenticate', false, [AuthenticateRequest, AuthenticateResponse]),
  range: method('/etcdserverpb.KV/Range', false, [RangeRequest, RangeResponse]),
  watch: method('/etcdserverpb.Watch/Watch', true, [WatchRequest, WatchResponse]),
};
