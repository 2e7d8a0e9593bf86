import { callFailure } from '../../grpc-client/client-channel.ts';
import { createAlarm } from '../alarm.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';
import type { WatchCall } from './etcd-calls.ts';
import { readWatch } from './read-answers.ts';

/** Tells that something has changed; what it is, is read anew. */
export interface EtcdWatch {
  /** Until etcd has said that it watches. Throws {@link SourceUnavailable} when it does not within this time. */
  untilCreated(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Until there is a change after this revision, or the time is over. Throws {@link SourceUnavailable} when none would be told. */
  untilChange(revision: bigint, timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Changes that were asked for are forgotten: everything has to be read, and watched, anew. */
  isCompacted(): boolean;
  close(): void;
}

export function followWatch({ stream, pace }: WatchCall): EtcdWatch {
  const alarm = createAlarm();
  let isCreated = false;
  let isCompacted = false;
  let changedAt = 0n;
  let end: string | undefined;

  function take(message: Buffer): void {
    const answer = readWatch(message);
    if (answer.isCreated) isCreated = true;
    if (answer.hasEvents) changedAt = answer.revision;
    if (!answer.isCanceled) return;
    isCompacted = answer.compactRevision > 0n;
    end = `etcd has ended the watch: ${answer.cancelReason || 'compacted'}`;
  }

  async function follow(): Promise<void> {
    try {
      for await (const message of stream as AsyncIterable<Buffer>) {
        take(message);
        alarm.ring();
        pace.next();
      }
      end ??= 'etcd has ended the stream of changes';
    } catch (error) {
      end ??= callFailure(error);
    }
    alarm.ring();
  }
  void follow();

  return {
    async untilCreated(timeoutMs, signal) {
      const late = AbortSignal.timeout(timeoutMs);
      const ended = AbortSignal.any([late, signal]);
      while (!isCreated && end === undefined && !ended.aborted) await alarm.wait(timeoutMs, ended);
      if (isCreated) return;
      throw new SourceUnavailable(end ?? `etcd does not watch within ${timeoutMs / 1_000} s`);
    },
    async untilChange(revision, timeoutMs, signal) {
      const ended = AbortSignal.any([AbortSignal.timeout(timeoutMs), signal]);
      while (changedAt <= revision && end === undefined && !ended.aborted) await alarm.wait(timeoutMs, ended);
      if (end !== undefined && !isCompacted) throw new SourceUnavailable(end);
    },
    isCompacted: () => isCompacted,
    close: () => stream.cancel(),
  };
}
