import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type HttpAnswer, httpCall } from './http-call.ts';
import { type RunningEnvoy, startEnvoy } from './start-envoy.ts';
import { startUpstream, type Upstream } from './start-upstream.ts';
import { type RunningWeir, startWeir } from './start-weir.ts';

const dataDirectory = new URL('../e2e/data/', import.meta.url);

export interface StackOptions {
  /** A bootstrap of `test/e2e/data`. */
  readonly bootstrap: string;
  /** Files with limits, of `test/e2e/data`; those of the domain e2e unless given. */
  readonly limits?: readonly string[];
  /** Settings of Weir, which counts in memory unless they say otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes of the bootstrap's text. */
  readonly edit?: (text: string) => string;
  readonly cwd?: string;
}

/** A client's request through Envoy. */
export interface ClientCall {
  /** The bootstrap's port; 10000 unless given. */
  readonly port?: 10000 | 10001;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** A real Envoy between a client and an upstream, with a real Weir beside it. */
export interface Stack extends AsyncDisposable {
  readonly envoy: RunningEnvoy;
  readonly upstream: Upstream;
  /** The one that runs now. */
  weir(): RunningWeir;
  call(path: string, call?: ClientCall): Promise<HttpAnswer>;
  /** Starts Weir again, where Envoy expects it; it has ended before. */
  restartWeir(): Promise<void>;
  stop(): Promise<void>;
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { limits = ['envoy-e2e-limits.yaml'], env = {}, bootstrap, ...envoyOptions } = options;
  const files = await Promise.all(
    limits.map(async (path) => [basename(path), await readFile(new URL(path, dataDirectory), 'utf8')]),
  );
  const rules = Object.fromEntries(files) as Record<string, string>;
  const upstream = await startUpstream();
  let weir = await startWeir({ env: { BACKEND_TYPE: 'memory', ...env }, rules });
  const service = weir.address('grpc');
  const envoy = await startEnvoy({
    ...envoyOptions,
    bootstrap: fileURLToPath(new URL(bootstrap, dataDirectory)),
    service,
    upstream: upstream.address,
  });
  const stop = async () => {
    await Promise.all([envoy.stop(), weir.stop(), upstream.stop()]);
  };
  return {
    envoy,
    upstream,
    weir: () => weir,
    call: (path, { port = 10000, ...call } = {}) =>
      httpCall({ address: envoy.listener(port), path, ...call }),
    restartWeir: async () => {
      const GRPC_PORT = service.slice(service.lastIndexOf(':') + 1);
      weir = await startWeir({ env: { BACKEND_TYPE: 'memory', ...env, GRPC_PORT }, rules });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/**
 * For tests of what Weir answers: Envoy waits long for it, so that a busy machine does not turn an answer into an error.
 * Tests of what happens without an answer leave the time-outs as they are.
 */
export function withPatience(text: string): string {
  return text.replaceAll(/^(\s+)timeout: 0\.\d+s/gm, '$1timeout: 5s');
}
