import type { Registry } from 'prom-client';
import { Labelled } from './labelled.ts';
import { defaultBuckets, LatencyHistogram } from './latency-histogram.ts';
import { registerFamily, type Sample } from './metric-family.ts';

/** One call that was answered. */
export interface CallRecord {
  readonly protocol: 'grpc' | 'http';
  /** As in the service's definition: `ShouldRateLimit`, `Check`. */
  readonly method: string;
  /** Name of the gRPC status: `OK`, `UNAVAILABLE`. */
  readonly code: string;
  /** From the arrival of the call to its answer. */
  readonly seconds: number;
}

/** More than there are methods and codes; only a fault elsewhere could go beyond. */
const maxMethods = 20;
const maxCodes = 20;

interface MethodCalls {
  readonly codes: Labelled<{ count: number }>;
  readonly time: LatencyHistogram;
}

/** What the edges count: calls, their time and their status. The reference's families are about gRPC alone. */
export class CallMetrics {
  readonly #calls: Record<CallRecord['protocol'], Labelled<MethodCalls>> = {
    grpc: new Labelled(maxMethods, createMethodCalls),
    http: new Labelled(maxMethods, createMethodCalls),
  };
  /** Factor from seconds to what the histogram holds. */
  readonly #unitsPerSecond: number;

  constructor(registry: Registry, timeInMilliseconds: boolean) {
    this.#unitsPerSecond = timeInMilliseconds ? 1_000 : 1;
    this.#calls.grpc.of('ShouldRateLimit').codes.of('OK');
    this.#register(registry);
  }

  add({ protocol, method, code, seconds }: CallRecord): void {
    const calls = this.#calls[protocol].of(method);
    calls.codes.of(code).count += 1;
    calls.time.observe(seconds * this.#unitsPerSecond);
  }

  #register(registry: Registry): void {
    const { grpc } = this.#calls;
    registerFamily(registry, {
      name: 'ratelimit_service_total_requests',
      help: 'gRPC calls that were answered, whatever the answer.',
      type: 'counter',
      read: () =>
        [...grpc.entries()].map(([grpc_method, { time }]) => ({
          labels: { grpc_method },
          value: time.count,
        })),
    });
    const time = 'ratelimit_service_response_time_seconds';
    registerFamily(registry, {
      name: time,
      help: 'Time from a gRPC call to its answer; in milliseconds with PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS.',
      type: 'histogram',
      read: () =>
        [...grpc.entries()].flatMap(([grpc_method, calls]) => [...calls.time.samples(time, { grpc_method })]),
    });
    registerFamily(registry, {
      name: 'weir_calls_total',
      help: 'Calls that were answered, by protocol, method and gRPC status.',
      type: 'counter',
      read: () => [...codeSamples('grpc', grpc), ...codeSamples('http', this.#calls.http)],
    });
  }
}

function createMethodCalls(): MethodCalls {
  return {
    codes: new Labelled(maxCodes, () => ({ count: 0 })),
    time: new LatencyHistogram(defaultBuckets),
  };
}

function* codeSamples(protocol: string, methods: Labelled<MethodCalls>): Generator<Sample> {
  for (const [method, { codes }] of methods.entries()) {
    for (const [code, { count }] of codes.entries()) {
      yield { labels: { protocol, method, code }, value: count };
    }
  }
}
