import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import type { Apply, ConfigSource } from '../config-source.ts';
import { createResponsePace } from '../response-pace.ts';
import { type AdsServer, type AdsStream, openAdsStream, type StreamEnd } from './ads-stream.ts';
import { type BackoffOptions, createBackoff } from './backoff.ts';
import { createDiscoveryRequests, type DiscoveryRequests, type XdsNode } from './discovery-requests.ts';
import { createResponseReceiver, type Verdict } from './receive-response.ts';
import { createRefusalPace } from './refusal-pace.ts';

export interface XdsSourceOptions {
  readonly server: AdsServer;
  readonly node: XdsNode;
  readonly backoff: BackoffOptions;
  readonly clock: Clock;
  /** Snapshots have their content. No unless said. */
  readonly withContent?: boolean;
  readonly onEvent: (event: XdsSourceEvent) => void;
}

export type XdsSourceEvent =
  /** The server is reached. It is asked for all rules. */
  | { readonly kind: 'connected' }
  /** There is no stream any more, or there never was one; the next try is made after `retryMs`. */
  | ({ readonly kind: 'disconnected'; readonly retryMs: number } & StreamEnd)
  /** What a response says is in force. */
  | { readonly kind: 'accepted'; readonly version: string }
  /** A response was refused; `problems` is what its server was told. */
  | { readonly kind: 'refused'; readonly version: string; readonly problems: readonly string[] }
  /** A response that nobody asked for. It is not answered. */
  | { readonly kind: 'other-type'; readonly typeUrl: string }
  /** Something unforeseen while a response was looked at, which was refused then. */
  | { readonly kind: 'delivery-failed'; readonly error: unknown };

/**
 * Rules from a control plane: the aggregated discovery service of xDS, state of the world. Each response is the whole
 * configuration. It is acknowledged when it is in force, and refused with all its problems when it is not. While the server
 * is away nothing changes.
 */
export function createXdsSource(options: XdsSourceOptions): ConfigSource {
  const { server, node, backoff, clock, withContent = false, onEvent } = options;

  async function run(apply: Apply, signal: AbortSignal): Promise<void> {
    const onFailure = (error: unknown) => onEvent({ kind: 'delivery-failed', error });
    const receive = createResponseReceiver(apply, { withContent, onFailure });
    const refusalPace = createRefusalPace();
    const responsePace = createResponsePace(clock);
    const delays = createBackoff(backoff);
    const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});

    async function take(message: Buffer, stream: AdsStream, requests: DiscoveryRequests): Promise<void> {
      const verdict = await receive(message, signal);
      if (signal.aborted) return;
      tell(verdict, onEvent);
      if (verdict.kind === 'accepted') delays.reset();
      const sameAgainMs = verdict.kind === 'refused' ? refusalPace(verdict.head.contentVersion) : 0;
      await pause(Math.max(responsePace(), sameAgainMs));
      answer(verdict, stream, requests);
    }

    while (!signal.aborted) {
      const end = await runStream(take, signal);
      if (signal.aborted) return;
      const retryMs = end.wasConnected ? delays.afterStream() : delays.afterUnreachable();
      onEvent({ kind: 'disconnected', retryMs, ...end });
      await pause(retryMs);
    }
  }

  type Take = (message: Buffer, stream: AdsStream, requests: DiscoveryRequests) => Promise<void>;

  async function runStream(take: Take, signal: AbortSignal): Promise<StreamEnd> {
    let stream: AdsStream;
    try {
      stream = openAdsStream(server, () => onEvent({ kind: 'connected' }));
    } catch (error) {
      // Certificates that fit nothing, or an address that is none.
      return { wasConnected: false, reason: (error as Error).message };
    }
    const requests = createDiscoveryRequests(node);
    signal.addEventListener('abort', stream.close);
    stream.send(requests.first());
    for await (const message of stream.responses()) await take(message, stream, requests);
    signal.removeEventListener('abort', stream.close);
    const end = stream.end();
    stream.close();
    return end;
  }

  return { run };
}

function answer(verdict: Verdict, stream: AdsStream, requests: DiscoveryRequests): void {
  if (verdict.kind === 'accepted') stream.send(requests.ack(verdict.head));
  else if (verdict.kind === 'refused') stream.send(requests.nack(verdict.head, verdict.problems));
  else if (verdict.kind === 'unreadable') stream.fail(verdict.reason);
}

function tell(verdict: Verdict, onEvent: XdsSourceOptions['onEvent']): void {
  if (verdict.kind === 'unreadable') return;
  const { versionInfo: version, typeUrl } = verdict.head;
  if (verdict.kind === 'accepted') onEvent({ kind: 'accepted', version });
  else if (verdict.kind === 'refused') onEvent({ kind: 'refused', version, problems: verdict.problems });
  else onEvent({ kind: 'other-type', typeUrl });
}
