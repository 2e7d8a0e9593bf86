import type { Clock } from '../../domain/clock.ts';
import type { ConfigSource } from '../config-source.ts';
import { maxBytes } from '../read-contents.ts';
import { type HttpAnswer, type HttpGet, httpGet, unexpectedStatus } from '../remote/http-get.ts';
import { filesOfKeys } from '../remote/key-files.ts';
import { pause } from '../remote/pause.ts';
import type { RemoteOrigin } from '../remote/remote-origin.ts';
import { createRemoteSource, type RemoteSourceOptions } from '../remote/remote-source.ts';
import { SourceUnavailable } from '../remote/source-unavailable.ts';
import { createResponsePace } from '../response-pace.ts';
import { nextIndex } from './next-index.ts';
import { unpackEntries } from './unpack-entries.ts';

export interface ConsulSourceOptions extends RemoteSourceOptions {
  /** Of an agent or a server: `http://127.0.0.1:8500`. */
  readonly address: URL;
  /** What the keys of the files begin with. Not empty. */
  readonly prefix: string;
  /** undefined: that of the agent. */
  readonly datacenter: string | undefined;
  /** How long Consul may hold a request back until something changes, in ms. */
  readonly waitMs: number;
  /** Asked for each request. */
  readonly request: () => Pick<HttpGet, 'tls'> & {
    /** `X-Consul-Token`; undefined: the anonymous one. */
    readonly token: string | undefined;
  };
  /** For one answer, in ms, on top of what Consul may hold it back. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Rules from Consul's keys below a prefix, by its blocking queries: a request is answered when something has changed. */
export function createConsulSource(options: ConsulSourceOptions): ConfigSource {
  return createRemoteSource(createConsulOrigin(options), options);
}

function createConsulOrigin(options: ConsulSourceOptions): RemoteOrigin {
  const { prefix, waitMs, timeoutMs, request } = options;
  const pace = createResponsePace(options.clock);
  let index: number | undefined;

  async function ask(signal: AbortSignal): Promise<HttpAnswer> {
    const { tls, token } = request();
    // Consul adds up to a sixteenth, so that not everybody comes back at once.
    const heldMs = index === undefined ? 0 : Math.ceil((waitMs * 17) / 16);
    const headers = token === undefined ? {} : { 'x-consul-token': token };
    const url = urlOf(options, index);
    return await httpGet({ url, headers, tls, timeoutMs: timeoutMs + heldMs, maxBytes }, signal);
  }

  return {
    async read(signal) {
      const answer = await ask(signal);
      checkAnswer(answer);
      index = nextIndex(index, answer.headers['x-consul-index']);
      const entries = answer.status === 404 ? [] : await unpackEntries(answer.body, signal);
      return { contents: await filesOfKeys(entries, { scheme: 'consul:', prefix }) };
    },
    // The next request waits itself.
    untilNews: (signal) => pause(pace(), signal),
    disconnect() {
      index = undefined;
    },
  };
}

function urlOf({ address, prefix, datacenter, waitMs }: ConsulSourceOptions, index: number | undefined): URL {
  const url = new URL(address);
  url.pathname = `/v1/kv/${prefix.split('/').map(encodeURIComponent).join('/')}`;
  url.searchParams.set('recurse', 'true');
  if (datacenter !== undefined) url.searchParams.set('dc', datacenter);
  if (index !== undefined) {
    url.searchParams.set('index', String(index));
    url.searchParams.set('wait', `${waitMs}ms`);
  }
  return url;
}

/** 404 means that there is no such key, if it comes from Consul. */
function checkAnswer({ status, headers }: HttpAnswer): void {
  if (status !== 200 && status !== 404) throw unexpectedStatus(status);
  if (headers['x-consul-index'] === undefined) {
    throw new SourceUnavailable(`HTTP status ${status} without X-Consul-Index: this is no Consul`);
  }
  // Without the right to read a key it is left out, and all limits would be gone when a token loses its policy.
  if (headers['x-consul-results-filtered-by-acls'] === 'true') {
    throw new SourceUnavailable('the token may not read all keys');
  }
}
