import { RateLimitConfig } from '../../src/gen/ratelimit/config/ratelimit/v3/rls_conf.ts';
import { httpCall } from './http-call.ts';
import { startProcess, type TestProcess } from './start-process.ts';
import { requireTool } from './tools.ts';
import { waitUntil } from './wait-until.ts';

/** A DiscoveryRequest as the server saw it. */
export interface SeenRequest {
  readonly node: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly version: string;
  readonly nonce: string;
  /** Of the error; 0 where there is none. */
  readonly code: number;
  readonly error: string;
}

/** The control plane of `test/xds/go`, a process of its own. */
export interface GoAdsServer extends TestProcess {
  readonly address: string;
  readonly port: number;
  /** Makes these the resources: as messages, or as octets that Go can decode. */
  set(version: string, resources: readonly (Partial<RateLimitConfig> | Uint8Array)[]): Promise<void>;
  requests(): Promise<readonly SeenRequest[]>;
  /** Waits until a version is acknowledged. */
  untilAccepted(version: string, limitMs?: number): Promise<unknown>;
  /** Waits for a refusal after this version was set, and gives its text. */
  refusalOf(version: string): Promise<string>;
}

export interface GoAdsServerOptions {
  readonly node?: string;
  /** Of 127.0.0.1; a free one unless given. */
  readonly port?: number;
  readonly tls?: { readonly certFile: string; readonly keyFile: string; readonly clientCaFile?: string };
}

export async function startGoAdsServer({
  node = 'default',
  port = 0,
  tls,
}: GoAdsServerOptions = {}): Promise<GoAdsServer> {
  const args = ['-node', node, '-listen', `127.0.0.1:${port}`];
  if (tls !== undefined) args.push('-cert', tls.certFile, '-key', tls.keyFile);
  if (tls?.clientCaFile !== undefined) args.push('-client-ca', tls.clientCaFile);
  const child = await startProcess(requireTool('ads-server'), args);
  const places = await waitUntil('the control plane', () => {
    if (child.exit !== undefined) throw new Error(child.lines.join('\n'));
    const line = child.lines.find((one) => one.startsWith('{'));
    return line === undefined ? undefined : (JSON.parse(line) as { xds: string; control: string });
  });

  async function requests(): Promise<readonly SeenRequest[]> {
    const { body } = await httpCall({ address: places.control, path: '/requests' });
    return (JSON.parse(body) as SeenRequest[] | null) ?? [];
  }

  /** What was seen when a version was set: answers to it come later. */
  const seenBefore = new Map<string, number>();

  async function set(
    version: string,
    resources: readonly (Partial<RateLimitConfig> | Uint8Array)[],
  ): Promise<void> {
    seenBefore.set(version, (await requests()).length);
    const octets = resources.map((one) =>
      one instanceof Uint8Array ? one : RateLimitConfig.encode(RateLimitConfig.fromPartial(one)).finish(),
    );
    const body = JSON.stringify({
      version,
      resources: octets.map((one) => Buffer.from(one).toString('base64')),
    });
    const answer = await httpCall({ address: places.control, path: '/snapshot', method: 'PUT', body });
    if (answer.status !== 200) throw new Error(answer.body);
  }

  const since = async (version: string) => (await requests()).slice(seenBefore.get(version) ?? 0);
  const untilAccepted = (version: string, limitMs?: number) =>
    waitUntil(
      `version ${version} to be accepted`,
      async () =>
        (await since(version)).some((one) => one.version === version && one.nonce !== '' && one.error === ''),
      limitMs,
    );
  const refusalOf = (version: string) =>
    waitUntil(`the refusal of version ${version}`, async () => {
      return (await since(version)).find(({ error }) => error !== '')?.error;
    });

  const boundPort = Number(places.xds.slice(places.xds.lastIndexOf(':') + 1));
  return Object.assign(Object.create(child) as TestProcess, {
    address: places.xds,
    port: boundPort,
    set,
    requests,
    untilAccepted,
    refusalOf,
  });
}
