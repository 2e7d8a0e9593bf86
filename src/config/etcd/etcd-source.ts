import type { Clock } from '../../domain/clock.ts';
import type { ChannelTls } from '../../grpc-client/client-channel.ts';
import type { ConfigSource } from '../config-source.ts';
import { maxFiles } from '../list-files.ts';
import { maxBytes } from '../read-contents.ts';
import { filesOfKeys } from '../remote/key-files.ts';
import { pause } from '../remote/pause.ts';
import type { RemoteOrigin } from '../remote/remote-origin.ts';
import { createRemoteSource, type RemoteSourceOptions } from '../remote/remote-source.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';
import { createResponsePace } from '../response-pace.ts';
import { type EtcdCalls, type EtcdUser, openEtcdCalls } from './etcd-calls.ts';
import { type EtcdWatch, followWatch } from './etcd-watch.ts';
import { endOfPrefix } from './prefix-end.ts';

export interface EtcdSourceOptions extends RemoteSourceOptions {
  /** `host:port` of members. The next is asked where one fails. */
  readonly endpoints: readonly string[];
  /** What the keys of the files begin with. Not empty. */
  readonly prefix: string;
  /** Asked at each connection; undefined: without TLS. */
  readonly tls: () => ChannelTls | undefined;
  /** Asked at each connection; undefined: etcd asks nobody who they are. */
  readonly user: () => EtcdUser | undefined;
  /** For one answer, in ms. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Everything is read again after this time although nothing was heard: a watch that is lost unnoticed must not last. */
const rereadMs = 300_000;

/** etcd takes more than one in 5 seconds for an attack. */
const pingIntervalMs = 30_000;

/** The keys of the messages, and what is around them, on top of the values. */
const maxMessageBytes = maxBytes + 16 * 1024 * 1024;

/** Rules from the keys of etcd v3 below a prefix: read at one revision, and read anew when a watch from the next one tells. */
export function createEtcdSource(options: EtcdSourceOptions): ConfigSource {
  return createRemoteSource(createEtcdOrigin(options), options);
}

/** A connection, and what was read on it. */
interface Session {
  readonly calls: EtcdCalls;
  watch: EtcdWatch | undefined;
  revision: bigint;
}

function createEtcdOrigin(options: EtcdSourceOptions): RemoteOrigin {
  const { endpoints, prefix, timeoutMs } = options;
  const pace = createResponsePace(options.clock);
  const keys = { key: Buffer.from(prefix), rangeEnd: endOfPrefix(Buffer.from(prefix)) };
  let session: Session | undefined;
  let next = 0;

  function open(): Session {
    const address = endpoints[next % endpoints.length] ?? '';
    next += 1;
    const channel = { address, tls: options.tls(), maxMessageBytes, pingIntervalMs };
    try {
      return {
        calls: openEtcdCalls({ ...channel, user: options.user(), timeoutMs }),
        watch: undefined,
        revision: 0n,
      };
    } catch (error) {
      // Certificates that fit nothing, or an address that is none.
      throw new SourceUnavailable((error as Error).message);
    }
  }

  async function watchFrom(one: Session, signal: AbortSignal): Promise<void> {
    if (one.watch?.isCompacted() === false) return;
    one.watch?.close();
    const createRequest = { ...keys, startRevision: one.revision + 1n, fragment: true };
    one.watch = followWatch(
      one.calls.watch({ requestUnion: { $case: 'createRequest', value: createRequest } }),
    );
    await one.watch.untilCreated(timeoutMs, signal);
  }

  return {
    async read(signal) {
      session ??= open();
      const answer = await session.calls.range({ ...keys, limit: BigInt(maxFiles + 1) }, signal);
      if (answer.hasMore) throw new SourceUnavailable(`there are more than ${maxFiles} keys`);
      session.revision = answer.revision;
      await watchFrom(session, signal);
      return { contents: await filesOfKeys(answer.entries, { scheme: 'etcd:', prefix }) };
    },
    async untilNews(signal) {
      await session?.watch?.untilChange(session.revision, rereadMs, signal);
      await pause(pace(), signal);
    },
    disconnect() {
      session?.watch?.close();
      session?.calls.close();
      session = undefined;
    },
  };
}
