import { type IncomingHttpHeaders, request } from 'node:http';

export interface HttpCall {
  /** `host:port`. */
  readonly address: string;
  readonly path: string;
  /** GET unless given. */
  readonly method?: string;
  /** Values go out as latin1: one octet for each character. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent with any method, GET too. */
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names in lower case and values, in the order they came. */
  readonly headerList: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** One HTTP/1.1 request on a connection of its own. Unlike `fetch` it sends any octets, and a body with GET. */
export function httpCall({ address, path, method = 'GET', headers, body }: HttpCall): Promise<HttpAnswer> {
  const { hostname, port } = new URL(`http://${address}`);
  return new Promise((resolve, reject) => {
    const call = request(
      // Brackets of an IPv6 address are part of the URL, not of the host.
      {
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        path,
        method,
        headers: { ...headers, ...lengthOf(body) },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            headerList: pairs(response.rawHeaders),
            body: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    call.setTimeout(20_000, () => call.destroy(new Error(`no answer from ${address}${path} in 20 s`)));
    call.on('error', reject);
    call.end(body);
  });
}

function lengthOf(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    list.push([rawHeaders[i]?.toLowerCase() ?? '', rawHeaders[i + 1] ?? '']);
  }
  return list;
}
