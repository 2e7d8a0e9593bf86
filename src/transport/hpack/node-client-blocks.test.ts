import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { expect, it } from 'vitest';
import { HpackDecoder } from './hpack-decoder.ts';

type Headers = http2.OutgoingHttpHeaders;

const frameHeader = 9;
const type = { headers: 1, continuation: 9 };
const flag = { endHeaders: 0x04, priority: 0x20 };

/** A SETTINGS frame with HEADER_TABLE_SIZE alone. */
function settings(headerTableSize: number): Buffer {
  const frame = Buffer.from('000006040000000000000100000000', 'hex');
  frame.writeUInt32BE(headerTableSize, 11);
  return frame;
}

/** The header blocks in what a client sent. */
function headerBlocks(octets: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  let parts: Buffer[] = [];
  for (let at = 24; at + frameHeader <= octets.length; ) {
    const end = at + frameHeader + octets.readUIntBE(at, 3);
    if (end > octets.length) break;
    const [kind, flags] = [octets[at + 3], octets[at + 4] as number];
    const start = at + frameHeader + (kind === type.headers && flags & flag.priority ? 5 : 0);
    at = end;
    if (kind !== type.headers && kind !== type.continuation) continue;
    parts.push(octets.subarray(start, end));
    if ((flags & flag.endHeaders) === 0) continue;
    blocks.push(Buffer.concat(parts));
    parts = [];
  }
  return blocks;
}

/** The blocks in which node:http2 sends these requests, one after the other, to a server that only listens. */
async function blocksOf(requests: Headers[], headerTableSize: number): Promise<Buffer[]> {
  let received: Buffer = Buffer.alloc(0);
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.write(settings(headerTableSize));
    socket.on('data', (octets: Buffer) => {
      received = Buffer.concat([received, octets]);
      if (headerBlocks(received).length === requests.length) resolve();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const client = http2.connect(`http://127.0.0.1:${port}`);
  try {
    await once(client, 'remoteSettings');
    for (const request of requests) client.request(request).on('error', () => {});
    await complete;
  } finally {
    client.destroy();
    server.close();
  }
  return headerBlocks(received);
}

/** What decoding must give for a request: its fields in order. */
function fieldsOf(request: Headers): [string, string][] {
  return Object.entries(request).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
  );
}

function decodeAll(decoder: HpackDecoder, blocks: Buffer[]): [string, string][][] {
  return blocks.map((block) => {
    const fields: [string, string][] = [];
    const sink = { field: (name: string, value: string) => fields.push([name, value]) };
    expect(decoder.decode(block, 0, block.length, sink)).toBe(true);
    return fields;
  });
}

function requestWith(path: string, headers: Headers): Headers {
  return { ':method': 'POST', ':path': path, ':scheme': 'http', ':authority': 'test', ...headers };
}

const grpc = { 'content-type': 'application/grpc', te: 'trailers', 'user-agent': 'grpc-node-js/1.14.7' };

function repeatedRequests(): Headers[] {
  return Array.from({ length: 200 }, (_, i) =>
    requestWith(`/envoy.service.ratelimit.v3.RateLimitService/${i % 3}`, {
      ...grpc,
      'grpc-timeout': `${i % 7}m`,
      'x-request-id': `${i}-${'0123456789abcdef'.repeat(1 + (i % 5))}`,
      [`x-name-${i % 50}`]: ['one', `${i}`, ''],
      authorization: `Bearer ${i}`,
      [http2.sensitiveHeaders]: ['authorization'],
    }),
  );
}

it.each([
  ['whose table is full and evicts', 4_096],
  ['whose table is small, after a size update', 256],
  ['without a table', 0],
])('decodes the requests of a client %s', async (_, tableSize) => {
  const requests = repeatedRequests();
  const blocks = await blocksOf(requests, tableSize);
  expect(decodeAll(new HpackDecoder(tableSize), blocks)).toEqual(requests.map(fieldsOf));
});

it('decodes every octet that a client can send, with Huffman code', async () => {
  const octets = [0x09, ...Array.from({ length: 256 }, (_, i) => i).filter((i) => i >= 0x20 && i !== 0x7f)];
  // It uses the code only where that is shorter, which the zeros see to.
  const values = octets.map((octet) => `0${String.fromCharCode(octet)}${'0'.repeat(40 + (octet % 8))}`);
  const requests = values.map((x) => requestWith('/', { x }));
  const blocks = await blocksOf(requests, 4_096);
  expect(decodeAll(new HpackDecoder(), blocks)).toEqual(requests.map(fieldsOf));
  // All but the first, which has the other fields' texts.
  const shorter = blocks.filter((block, i) => block.length < (values[i] as string).length);
  expect(shorter).toHaveLength(requests.length - 1);
});

it('decodes a list whose block needs several frames', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`x-${i}`, `${i} `.repeat(30).trim()]),
  );
  const requests = [requestWith('/', many), requestWith('/', many)];
  const blocks = await blocksOf(requests, 4_096);
  expect(blocks[0]?.length).toBeGreaterThan(16_384);
  expect(decodeAll(new HpackDecoder(), blocks)).toEqual(requests.map(fieldsOf));
});
