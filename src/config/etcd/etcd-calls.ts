import {
  type CallOptions,
  type ClientDuplexStream,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import {
  AuthenticateRequest,
  AuthenticateResponse,
  RangeRequest,
  WatchRequest,
} from '../../gen/etcdserverpb/rpc.ts';
import { type ChannelOptions, callFailure, openChannel } from '../../grpc-client/client-channel.ts';
import { createPace, type Pace } from '../../grpc-client/paced-call.ts';
import { unaryCall } from '../../grpc-client/unary-call.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';
import { type RangeAnswer, readRange } from './read-answers.ts';

export interface EtcdUser {
  readonly name: string;
  readonly password: string;
}

/** Calls to one member of etcd, on a connection of their own. What fails is a {@link SourceUnavailable}. */
export interface EtcdCalls {
  range(request: Partial<RangeRequest>, signal: AbortSignal): Promise<RangeAnswer>;
  watch(request: WatchRequest): WatchCall;
  close(): void;
}

/** Undecoded responses; the next comes when the one before has been dealt with (`pace.next`). */
export interface WatchCall {
  readonly stream: ClientDuplexStream<WatchRequest, Buffer>;
  readonly pace: Pace;
}

export interface EtcdCallsOptions extends ChannelOptions {
  /** undefined: etcd asks nobody who they are. */
  readonly user: EtcdUser | undefined;
  /** For one answer, in ms. */
  readonly timeoutMs: number;
}

/** Opens a connection, and logs in at the first call. Throws when the address or the certificates are none. */
export function openEtcdCalls({ user, timeoutMs, ...channelOptions }: EtcdCallsOptions): EtcdCalls {
  const channel = openChannel(channelOptions);
  let token: string | undefined;

  const unary = (path: string, request: Uint8Array, signal: AbortSignal) =>
    unaryCall(channel.client, { path, request, metadata: metadata(), timeoutMs }, signal);

  function metadata(): Metadata {
    const sent = new Metadata();
    // A member that the others have left answers with what it last knew, and hears of no change: it is to say so instead.
    sent.set('hasleader', 'true');
    if (token !== undefined) sent.set('token', token);
    return sent;
  }

  async function logIn({ name, password }: EtcdUser, signal: AbortSignal): Promise<void> {
    token = undefined;
    const request = AuthenticateRequest.encode({ name, password }).finish();
    const answer = await unary('/etcdserverpb.Auth/Authenticate', request, signal);
    ({ token } = AuthenticateResponse.decode(answer));
  }

  async function range(request: Partial<RangeRequest>, signal: AbortSignal): Promise<RangeAnswer> {
    const octets = RangeRequest.encode(RangeRequest.fromPartial(request)).finish();
    const ask = async () => readRange(await unary('/etcdserverpb.KV/Range', octets, signal));
    try {
      if (user !== undefined && token === undefined) await logIn(user, signal);
      try {
        return await ask();
      } catch (error) {
        // Tokens end after some minutes without a call.
        if (user === undefined || (error as ServiceError).code !== status.UNAUTHENTICATED) throw error;
        await logIn(user, signal);
        return await ask();
      }
    } catch (error) {
      throw new SourceUnavailable(callFailure(error));
    }
  }

  function watch(request: WatchRequest): WatchCall {
    const pace = createPace();
    const options: CallOptions = { interceptors: [pace.interceptor] };
    const stream = channel.client.makeBidiStreamRequest(
      '/etcdserverpb.Watch/Watch',
      (one: WatchRequest) => Buffer.from(WatchRequest.encode(one).finish()),
      (octets: Buffer) => octets,
      metadata(),
      options,
    );
    // What breaks it is thrown to whoever reads.
    stream.on('error', () => {});
    stream.write(request);
    return { stream, pace };
  }

  return { range, watch, close: channel.close };
}
