import { seriesOf } from '../support/exposition.ts';
import { httpCall } from '../support/http-call.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import { waitUntil } from '../support/wait-until.ts';
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

/** What the process does at a signal: it collects all garbage, and says what is left. */
const tellsWhatItHolds = [
  "process.on('SIGUSR2',()=>{gc();gc();",
  "const{heapUsed,external}=process.memoryUsage();console.log('held:'+(heapUsed+external))})",
].join('');

const nodeOptions = `--expose-gc --import="data:text/javascript,${tellsWhatItHolds}"`;

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
  const settings = { BACKEND_TYPE: 'memory', NODE_OPTIONS: nodeOptions, ...env };
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
    async heldBytes() {
      const told = () => weir.lines.filter((line) => line.startsWith('held:'));
      const before = told().length;
      weir.signal('SIGUSR2');
      const line = await waitUntil('what the service holds', () => told()[before]);
      return Number(line.slice('held:'.length));
    },
    async [Symbol.asyncDispose]() {
      await good[Symbol.asyncDispose]();
      await weir.stop();
    },
  };
}
