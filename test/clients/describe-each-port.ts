import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthority } from '../integration/server/certificates.ts';
import { describeWithTools } from '../support/describe-with-tools.ts';
import { seriesOf } from '../support/exposition.ts';
import { httpCall } from '../support/http-call.ts';
import { type RunningWeir, startWeir } from '../support/start-weir.ts';
import type { ToolName } from '../support/tools.ts';
import { rules } from './requests.ts';

type Transport = 'native' | 'grpc-js';

/** A gRPC listener of a Weir process of its own. */
export interface Port {
  readonly transport: Transport;
  /** The certificate of its authority; without it there is no TLS. */
  readonly caFile: string | undefined;
  /** `host:port`; with TLS a name, as grpc-js knows no certificates of IP addresses. */
  readonly address: string;
  readonly url: string;
  /** For grpc-js. */
  readonly channelCredentials: ChannelCredentials;
  /** For files of the suite. */
  readonly folder: string;
  /** What a metric stands at: all its series, summed. */
  metric(name: string): Promise<number>;
}

export interface EachPortOptions {
  /** Both unless given. */
  readonly transports?: readonly Transport[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a suite is told of the port before it runs. */
export interface PortKind {
  readonly transport: Transport;
  readonly isTls: boolean;
}

/** Runs a suite against each transport, with TLS and without. */
export function describeEachPort(
  tools: readonly ToolName[],
  { transports = ['native', 'grpc-js'], env = {} }: EachPortOptions,
  body: (port: () => Port, kind: PortKind) => void,
): void {
  for (const transport of transports) {
    for (const isTls of [false, true]) {
      const needed: readonly ToolName[] = isTls ? [...tools, 'openssl'] : tools;
      describeWithTools(needed, `${transport}, ${isTls ? 'TLS' : 'plain'}`, () => {
        let started: Awaited<ReturnType<typeof startPort>> | undefined;
        const port = () => {
          if (started === undefined) throw new Error('the port is there for hooks and tests only');
          return started.port;
        };
        beforeAll(async () => {
          started = await startPort({ transport, isTls }, env);
        });
        afterAll(() => started?.stop());

        body(port, { transport, isTls });
      });
    }
  }
}

/** The last test of a suite whose clients keep to HTTP/2: none of them was taken for one that does not. */
export function itGaveUpNoConnection(port: () => Port): void {
  it('no connection was given up', async () => {
    await expect(port().metric('weir_grpc_connection_faults_total')).resolves.toBe(0);
  });
}

async function startPort({ transport, isTls }: PortKind, env: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-clients-'));
  const tls = isTls ? makeCertificates(folder) : undefined;
  const weir = await startWeir({
    rules,
    env: { BACKEND_TYPE: 'memory', GRPC_TRANSPORT: transport, ...tls?.env, ...env },
  });
  const address = isTls ? weir.address('grpc').replace(/^.*:/, 'localhost:') : weir.address('grpc');
  const port: Port = {
    transport,
    caFile: tls?.caFile,
    address,
    channelCredentials:
      tls === undefined ? credentials.createInsecure() : credentials.createSsl(readFileSync(tls.caFile)),
    url: `${isTls ? 'https' : 'http'}://${address}`,
    folder,
    metric: (name) => readMetric(weir, name),
  };
  const stop = async () => {
    await weir.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, stop };
}

function makeCertificates(folder: string) {
  const authority = createAuthority(join(folder, 'ca'));
  const { certFile, keyFile } = authority.issue('server', 'DNS:localhost,IP:127.0.0.1');
  const env = {
    GRPC_SERVER_USE_TLS: 'true',
    GRPC_SERVER_TLS_CERT: certFile,
    GRPC_SERVER_TLS_KEY: keyFile,
  };
  return { caFile: authority.file, env };
}

async function readMetric(weir: RunningWeir, name: string): Promise<number> {
  const { body } = await httpCall({ address: weir.address('metrics'), path: '/metrics' });
  if (!body.includes(`# TYPE ${name} `)) throw new Error(`there is no metric ${name}`);
  let sum = 0;
  for (const [series, value] of seriesOf(body)) if (series.replace(/\{.*/s, '') === name) sum += value;
  return sum;
}
