import type { CallRecord } from '../call-metrics.ts';
import { Labelled } from '../labelled.ts';
import type { Figure } from './figure.ts';

/** Times that are kept of each method between two sendings. */
const maxTimes = 1_000;
/** More than there are methods. */
const maxMethods = 20;

interface Times {
  readonly ms: number[];
  count: number;
}

/**
 * Response times of gRPC calls until they are sent. Of more than a bounded number a random part is kept, each with the
 * same chance (Vitter's algorithm R), so that percentiles hold; how many calls there were is a counter of its own.
 */
export class ResponseTimes {
  readonly #times = new Labelled<Times>(maxMethods, () => ({ ms: [], count: 0 }));

  add({ protocol, method, isStream, seconds }: CallRecord): void {
    if (protocol !== 'grpc' || isStream) return;
    const times = this.#times.of(method);
    times.count += 1;
    const ms = seconds * 1_000;
    if (times.ms.length < maxTimes) {
      times.ms.push(ms);
      return;
    }
    const place = Math.floor(Math.random() * times.count);
    if (place < maxTimes) times.ms[place] = ms;
  }

  /** What there is, and begins anew. */
  *take(): Generator<Figure> {
    for (const [method, times] of this.#times.entries()) {
      const name = `ratelimit_server.${method}.response_time`;
      const taken = times.ms.splice(0);
      times.count = 0;
      for (const ms of taken) yield { kind: 'timer', name, value: Number(ms.toFixed(3)) };
    }
  }
}
