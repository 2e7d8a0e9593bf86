import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { createGrpcClient, type Message, shouldRateLimit } from '../../support/grpc-client.ts';
import { httpCall } from '../../support/http-call.ts';
import { startRedis } from '../../support/redis-server.ts';
import { type RunningPrometheus, startPrometheus } from '../../support/start-prometheus.ts';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { root } from '../repository/repository.ts';
import { requestOf } from '../service/call-weir.ts';
import { alertsFile } from './alert-rules.ts';

const rules = `
domain: shop
descriptors:
  - {key: ip, rate_limit: {unit: minute, requests_per_unit: 10}}
  - {key: trial, shadow_mode: true, rate_limit: {unit: minute, requests_per_unit: 1}}
  - {key: user, rate_limit: {unit: hour, requests_per_unit: 1000000}}
  - {key: roomy, rate_limit: {unit: second, requests_per_unit: 1000000}}
  - {key: never, rate_limit: {unit: minute, requests_per_unit: 10}}
`;

/** Three replicas, on Redis, on memory, and without a control plane, and a Prometheus that scrapes all. */
export interface Observed extends AsyncDisposable {
  readonly prometheus: RunningPrometheus;
  /** What they show at `/metrics`. */
  pages(): Promise<readonly string[]>;
  /** Calls of every kind, some of them denied, shadowed, unmatched, given back or wrong. */
  call(): Promise<void>;
}

/** Redis has been away when this resolves, so that there are errors and a breaker that opened. */
export async function startObserved(): Promise<Observed> {
  const redis = await startRedis();
  const onRedis = await startWeir({
    rules: { 'shop.yaml': rules },
    env: { REDIS_URL: redis.address, REDIS_SOCKET_TYPE: 'tcp' },
  });
  const onMemory = await startWeir({ rules: { 'shop.yaml': rules, 'broken.yaml': 'descriptors: 3' } });
  const onXds = await startWeir({
    rules: {},
    untilReady: false,
    env: { CONFIG_TYPE: 'GRPC_XDS_SOTW', CONFIG_GRPC_XDS_SERVER_URL: `127.0.0.1:${await freePort()}` },
  });
  const replicas = [onRedis, onMemory, onXds];
  const prometheus = await startPrometheus({
    targets: replicas.map((weir) => weir.address('http')),
    labels: { namespace: 'test' },
    ruleFiles: [join(root, alertsFile)],
  });
  const page = async (weir: RunningWeir) =>
    (await httpCall({ address: weir.address('http'), path: '/metrics' })).body;
  await redis.kill();
  await waitUntil('the breaker to open', async () => {
    await callOf(onRedis);
    return (await page(onRedis)).includes('weir_store_breaker_state');
  });
  await redis.restart();
  return {
    prometheus,
    pages: () => Promise.all(replicas.map(page)),
    call: async () => {
      await Promise.all([callOf(onRedis), callOf(onMemory)]);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([prometheus.stop(), ...replicas.map((weir) => weir.stop())]);
      await redis.stop();
    },
  };
}

/** Values that were sent: new ones have all of their limit, and so come near it each time. */
let users = 0;
let addresses = 0;

async function callOf(weir: RunningWeir): Promise<void> {
  const client = createGrpcClient(weir.address('grpc'));
  const call = (request: Message) => client.call(shouldRateLimit, request);
  const newUsers = () => Array.from({ length: 200 }, () => `user=${users++}`);
  const address = `ip=${addresses++}`;
  try {
    for (let i = 0; i < 20; i += 1) await call(requestOf(address));
    await Promise.all([
      ...Array.from({ length: 6 }, () => call(requestOf(...newUsers()))),
      call(requestOf('roomy=1')),
      call(requestOf('trial=1')),
      call(requestOf('trial=1')),
      call(requestOf('other=1')),
      call({ ...requestOf('ip=1'), domain: 'elsewhere' }),
      call({ ...requestOf('ip=1'), domain: '' }),
      call(with1st({ limit: { requestsPerUnit: 5, unit: 'HOUR' } })),
      call(with1st({ isNegativeHits: true })),
      client.call({ ...shouldRateLimit, path: '/no.such/Method' }, {}),
    ]);
    await httpCall({ address: weir.address('grpc'), path: '/' }).catch(() => undefined); // speaks no HTTP/2
  } finally {
    client.close();
  }
}

/** A request whose descriptor has something more. */
function with1st(parts: Message): Message {
  const { domain, descriptors } = requestOf('ip=192.0.2.2');
  return { domain, descriptors: [{ ...descriptors[0], ...parts }] };
}
