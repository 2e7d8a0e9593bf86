import { seriesOf } from '../support/exposition.ts';
import { heldBytes, tellingNodeOptions } from '../support/held-memory.ts';
import { httpCall } from '../support/http-call.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { type GoodClient, startGoodClient } from './good-client.ts';

/** A service under attack, with a good client that it must not forget. */
export interface Target extends AsyncDisposable {
  readonly weir: RunningWeir;
  /** Of the gRPC listener. */
  readonly address: string;
  readonly good: GoodClient;
  /** The series of `/metrics`. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  /** Memory that is in use when all garbage is collected: objects and buffers. */
  heldBytes(): Promise<number>;
}

/** One limit, which is never reached. */
const rules = {
  'attacks.yaml': [
    'domain: attacks',
    'descriptors:',
    '  - key: user',
    '    rate_limit: { unit: hour, requests_per_unit: 1000000000 }',
    '',
  ].join('\n'),
};

export interface TargetOptions {
  /** Calls that the good client has open at the same time. */
  readonly lanes?: number;
  /** What is started instead of the sources. */
  readonly program?: string;
}

export async function startTarget(
  env: Readonly<Record<string, string>> = {},
  { lanes, ...options }: TargetOptions = {},
): Promise<Target> {
  const settings = { BACKEND_TYPE: 'memory', NODE_OPTIONS: tellingNodeOptions, ...env };
  const weir = await startWeir({ rules, env: settings, ...options });
  const address = weir.address('grpc');
  const good = startGoodClient(address, lanes);
  return {
    weir,
    address,
    good,
    async metrics() {
      const { body } = await httpCall({ address: weir.address('http'), path: '/metrics' });
      return seriesOf(body);
    },
    heldBytes: () => heldBytes(weir),
    async [Symbol.asyncDispose]() {
      await good[Symbol.asyncDispose]();
      await weir.stop();
    },
  };
}
