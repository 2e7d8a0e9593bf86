import type { Registry } from 'prom-client';
import { Labelled } from './labelled.ts';
import { defaultBuckets, LatencyHistogram } from './latency-histogram.ts';
import { registerFamily, type Sample } from './metric-family.ts';

/** One call that was answered. */
export interface CallRecord {
  readonly protocol: 'grpc' | 'http';
  /** As in the service's definition: `ShouldRateLimit`, `Check`. */
  readonly method: string;
  /** A stream lasts as long as its caller likes. */
  readonly isStream: boolean;
  /** Name of the gRPC status: `OK`, `UNAVAILABLE`. */
  readonly code: string;
  /** From the arrival of the call to its answer. */
  readonly seconds: number;
}

/** More than there are methods and codes; only a fault elsewhere could go beyond. */
const maxMethods = 20;
const maxCodes = 20;

type Answers = Labelled<Labelled<{ count: number }>>;

/** What the edges count: calls, their time and their status. */
export class CallMetrics {
  /** By method, then code. */
  readonly #answers: Record<CallRecord['protocol'], Answers> = {
    grpc: createAnswers(),
    http: createAnswers(),
  };
  /** The reference's families are about gRPC calls with one answer. */
  readonly #times = new Labelled(maxMethods, () => new LatencyHistogram(defaultBuckets));
  /** Factor from seconds to what the histogram holds. */
  readonly #unitsPerSecond: number;

  constructor(registry: Registry, timeInMilliseconds: boolean) {
    this.#unitsPerSecond = timeInMilliseconds ? 1_000 : 1;
    this.#answers.grpc.of('ShouldRateLimit').of('OK');
    this.#times.of('ShouldRateLimit');
    this.#register(registry);
  }

  add({ protocol, method, isStream, code, seconds }: CallRecord): void {
    this.#answers[protocol].of(method).of(code).count += 1;
    if (protocol === 'grpc' && !isStream) this.#times.of(method).observe(seconds * this.#unitsPerSecond);
  }

  #register(registry: Registry): void {
    const times = this.#times;
    registerFamily(registry, {
      name: 'ratelimit_service_total_requests',
      help: 'gRPC calls that were answered, whatever the answer; streams are left out.',
      type: 'counter',
      read: () =>
        [...times.entries()].map(([grpc_method, { count }]) => ({ labels: { grpc_method }, value: count })),
    });
    const time = 'ratelimit_service_response_time_seconds';
    registerFamily(registry, {
      name: time,
      help: 'Time from a gRPC call to its answer; in milliseconds with PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS.',
      type: 'histogram',
      read: () =>
        [...times.entries()].flatMap(([grpc_method, histogram]) => [
          ...histogram.samples(time, { grpc_method }),
        ]),
    });
    registerFamily(registry, {
      name: 'weir_calls_total',
      help: 'Calls that were answered, by protocol, method and gRPC status.',
      type: 'counter',
      read: () => [...codeSamples('grpc', this.#answers.grpc), ...codeSamples('http', this.#answers.http)],
    });
  }
}

function createAnswers(): Answers {
  return new Labelled(maxMethods, () => new Labelled(maxCodes, () => ({ count: 0 })));
}

function* codeSamples(protocol: string, answers: Answers): Generator<Sample> {
  for (const [method, codes] of answers.entries()) {
    for (const [code, { count }] of codes.entries()) {
      yield { labels: { protocol, method, code }, value: count };
    }
  }
}
