import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import { Sampler } from '../../log-sampler.ts';
import type { CallRecord } from '../call-metrics.ts';
import type { MetricNumbers } from '../metrics.ts';
import type { Figure } from './figure.ts';
import { Gains } from './gains.ts';
import { ResponseTimes } from './response-times.ts';
import { openStatsdConnection, type StatsdConnection, type StatsdReceiver } from './statsd-connection.ts';

export interface StatsdSinkOptions extends StatsdReceiver {
  readonly flushIntervalMs: number;
  readonly numbers: MetricNumbers;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends metrics to statsd from time to time. */
export interface StatsdSink {
  /** Adds the time of a call. */
  readonly onCall: (call: CallRecord) => void;
  /** Lines so far. */
  readonly lines: () => Readonly<Record<'sent' | 'lost', number>>;
  /** Sends what is left, then no more. */
  stop(): Promise<void>;
}

/** Lines in one turn of the loop: there may be 70,000, and calls have deadlines of 20 ms. They also bound what waits. */
const linesPerTurn = 200;

/**
 * What cannot be sent in its interval is lost, as with the reference: a receiver that was away for an hour must not take
 * the hits of that hour for those of ten seconds. Nothing is kept for it, and no call waits for it.
 */
export function startStatsdSink(options: StatsdSinkOptions): StatsdSink {
  const gains = new Gains(options.numbers);
  const times = new ResponseTimes();
  const logFailure = createFailureLog(options);
  const lines = { sent: 0, lost: 0 };
  let connection: StatsdConnection | undefined;
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    const failure = await sendAll([await gains.take(), times.take()]);
    if (failure === undefined) return;
    connection?.close();
    connection = undefined;
    logFailure(failure);
  }

  async function sendAll(parts: readonly Iterable<Figure>[]): Promise<Error | undefined> {
    if (connection?.hasEnded) {
      connection.close();
      connection = undefined;
    }
    connection ??= openStatsdConnection(options);
    let failure: Error | undefined;
    for (const turn of inTurns(parts)) {
      if (failure === undefined) {
        for (const figure of turn) connection.add(figure);
        failure = await connection.sent();
      }
      lines[failure === undefined ? 'sent' : 'lost'] += turn.length;
      await setImmediate();
    }
    return failure;
  }

  /** One at a time: while a slow receiver is waited for, the numbers go on adding up for the next. */
  function flushOnce(): Promise<void> {
    flushing ??= flush()
      .catch((error) => logFailure(error))
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  }

  const timer = setInterval(flushOnce, options.flushIntervalMs).unref();
  return {
    onCall: (call) => times.add(call),
    lines: () => lines,
    async stop() {
      clearInterval(timer);
      await flushing;
      await flushOnce();
      connection?.close();
    },
  };
}

function* inTurns(parts: readonly Iterable<Figure>[]): Generator<readonly Figure[]> {
  let turn: Figure[] = [];
  for (const part of parts) {
    for (const figure of part) {
      turn.push(figure);
      if (turn.length < linesPerTurn) continue;
      yield turn;
      turn = [];
    }
  }
  if (turn.length > 0) yield turn;
}

function createFailureLog({ clock, log, host, port }: StatsdSinkOptions): (err: Error) => void {
  const sampler = new Sampler({ intervalMs: 60_000, maxSubjects: 1 });
  return (err) => {
    const sampled = sampler.take('', clock.monotonic());
    if (sampled === undefined) return;
    const fields = { host, port, reason: err.message, ...sampled };
    log.warn(fields, 'statsd cannot be reached: what was counted since the last sending is not sent');
  };
}
