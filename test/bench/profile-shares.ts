/** What V8 writes for `--cpu-prof`: times are in us, by the monotonic clock. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  /** Identifiers of nodes. */
  readonly samples: readonly number[];
  /** Before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const notAtWork = ['(idle)', '(program)', '(root)'];

/** By the file of a function, the first that fits. What has no file of its own, or is Node's, is its caller's. */
const areas: readonly (readonly [area: string, file: RegExp])[] = [
  ['sockets: Node and the system', /^node:(net|stream|internal\/(stream|streams|js_stream))/],
  ['HPACK and request heads', /\/src\/transport\/(hpack\/|http2\/(head-decoder|request-head|header-block))/],
  ['HTTP/2 frames, streams and windows', /\/src\/transport\/(http2\/|connection|flush-queue|grpc-transport)/],
  ['gRPC calls', /\/src\/(transport\/grpc|server\/grpc\/(method-handlers|rls-service))/],
  [
    'decoding the request',
    /\/src\/(server\/grpc\/(rls-request-reader|wire-reader|known-texts)|domain\/octets)/,
  ],
  [
    'encoding the answer',
    /\/src\/(server\/grpc\/(rls-response-writer|wire-writer)|transport\/octet-writer|server\/safe-headers)/,
  ],
  ['counter keys', /\/src\/(domain\/counter-key|rules\/compile-rule)/],
  ['matching', /\/src\/rules\//],
  ['planning, judging, concluding', /\/src\/(limiter|algorithm)\//],
  ['the store: batches and counters', /\/src\/store\//],
  ['the Redis client', /\/node_modules\/(ioredis|@ioredis|redis-errors|denque)\//],
  ['metrics and logs', /\/src\/(telemetry|log)|\/node_modules\/(prom-client|pino|sonic-boom)\//],
  ['turns of the loop, promises, timers', /^node:internal\/(process\/task_queues|timers|async)|^node:timers/],
];

const collecting = 'collecting garbage';
const other = 'all else';

/**
 * The shares of areas in what a program did from a moment on, the largest first.
 * @param from in us, by the monotonic clock
 * @param to likewise
 */
export function sharesOf(profile: Profile, from: number, to: number): ReadonlyMap<string, number> {
  const areaOf = areasOf(profile);
  const times = new Map<string, number>();
  let total = 0;
  let now = profile.startTime;
  profile.samples.forEach((id, index) => {
    const took = profile.timeDeltas[index] ?? 0;
    now += took;
    const area = areaOf.get(id);
    if (now < from || now > to || area === undefined) return;
    times.set(area, (times.get(area) ?? 0) + took);
    total += took;
  });
  const sorted = [...times].sort(([, a], [, b]) => b - a);
  return new Map(sorted.map(([area, time]) => [area, time / total]));
}

/** The area of each node; undefined where nothing is done. */
function areasOf({ nodes }: Profile): ReadonlyMap<number, string | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const areaOf = new Map<number, string | undefined>();
  const visit = (node: ProfileNode, ofCaller: string): void => {
    const { functionName, url } = node.callFrame;
    const own = areas.find(([, file]) => file.test(url))?.[0];
    const area = functionName === '(garbage collector)' ? collecting : (own ?? ofCaller);
    areaOf.set(node.id, notAtWork.includes(functionName) ? undefined : area);
    for (const id of node.children ?? []) visit(byId.get(id) as ProfileNode, area);
  };
  const [root] = nodes;
  if (root !== undefined) visit(root, other);
  return areaOf;
}
