import {
  createGrpcClient,
  type GrpcAnswer,
  type GrpcClient,
  shouldRateLimit,
} from '../support/grpc-client.ts';

/** How a call ended. `counted`: the store decided; `policy`: a failure policy did; else the gRPC status. */
export type Outcome = 'counted' | 'policy' | (string & {});

/** One call, by {@link performance.now}. */
export interface CallRecord {
  /** Values of its descriptors. */
  readonly keys: readonly string[];
  readonly startedAt: number;
  readonly ms: number;
  readonly outcome: Outcome;
  readonly code: string | undefined;
}

/** Calls that go on at a steady rate whatever becomes of them, as those of many proxies do. */
export interface Traffic extends AsyncDisposable {
  readonly records: readonly CallRecord[];
  /** How often each value was sent. */
  readonly sent: ReadonlyMap<string, number>;
  /** Calls that have no answer yet. */
  readonly open: number;
  /** Sends no more, and resolves when every call has ended. */
  stop(): Promise<void>;
}

export interface TrafficOptions {
  /** gRPC listeners; calls go to each in turn. */
  readonly addresses: readonly string[];
  /** Calls a second, to all of them together. */
  readonly rate: number;
  /** Different values of the descriptor, of which each call has one at random; 1,000 unless given. */
  readonly keys?: number;
  /** Descriptors of a call; 1 unless given. */
  readonly descriptors?: number;
  /** Of each call, as the client's deadline; a second unless given. */
  readonly timeoutMs?: number;
  /** One client for all addresses, as a Service without a virtual IP has them, instead of one for each. */
  readonly isBalanced?: boolean;
  readonly domain?: string;
  /** Key of the descriptor's entry. */
  readonly entry?: string;
}

const tickMs = 5;

/** Clients with the same address would share a connection. */
const own = { 'grpc.use_local_subchannel_pool': 1 };

/**
 * A call that the server can't have seen is tried again: grpc-js gives up one that begins as GOAWAY comes.
 */
const roundRobin = {
  'grpc.service_config': JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: [
      {
        name: [{}],
        retryPolicy: {
          maxAttempts: 3,
          initialBackoff: '0.01s',
          maxBackoff: '0.1s',
          backoffMultiplier: 2,
          retryableStatusCodes: ['UNAVAILABLE'],
        },
      },
    ],
  }),
};

export function startTraffic(options: TrafficOptions): Traffic {
  const { addresses, rate, keys: values = 1_000, descriptors: size = 1 } = options;
  const { timeoutMs = 1_000, domain = 'shop', entry = 'ip' } = options;
  const clients = options.isBalanced
    ? [createGrpcClient(`ipv4:${addresses.join(',')}`, { timeoutMs, channelOptions: roundRobin })]
    : addresses.map((address) => createGrpcClient(address, { timeoutMs, channelOptions: own }));
  const records: CallRecord[] = [];
  const sent = new Map<string, number>();
  const begun = performance.now();
  let calls = 0;
  let open = 0;

  async function call(client: GrpcClient): Promise<void> {
    const keys = Array.from({ length: size }, () => `k${Math.floor(Math.random() * values)}`);
    for (const key of keys) sent.set(key, (sent.get(key) ?? 0) + 1);
    open += 1;
    const startedAt = performance.now();
    const descriptors = keys.map((value) => ({ entries: [{ key: entry, value }] }));
    const answer = await client.call(shouldRateLimit, { domain, descriptors });
    open -= 1;
    const ms = performance.now() - startedAt;
    records.push({ keys, startedAt, ms, outcome: outcomeOf(answer), code: codeOf(answer) });
  }

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1_000) * rate);
    for (; calls < due; calls += 1) void call(clients[calls % clients.length] as GrpcClient);
  }, tickMs);

  async function stop(): Promise<void> {
    clearInterval(timer);
    // Every call has a deadline, so each of them ends.
    while (open > 0) await new Promise((resolve) => setTimeout(resolve, tickMs));
  }

  return {
    records,
    sent,
    get open() {
      return open;
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      for (const client of clients) client.close();
    },
  };
}

function outcomeOf(answer: GrpcAnswer): Outcome {
  if ('status' in answer) return answer.status;
  const { dynamicMetadata } = answer.response as { dynamicMetadata?: { fields?: Record<string, unknown> } };
  return dynamicMetadata?.fields?.['failurePolicy'] === undefined ? 'counted' : 'policy';
}

function codeOf(answer: GrpcAnswer): string | undefined {
  return 'status' in answer ? undefined : String(answer.response['overallCode']);
}
