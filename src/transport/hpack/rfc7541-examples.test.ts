import { describe, expect, it } from 'vitest';
import { HpackDecoder } from './hpack-decoder.ts';

type Fields = [name: string, value: string][];

function decode(decoder: HpackDecoder, hex: string): Fields | undefined {
  const octets = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const fields: Fields = [];
  const sink = { field: (name: string, value: string) => fields.push([name, value]) };
  return decoder.decode(octets, 0, octets.length, sink) ? fields : undefined;
}

/** The dynamic table from its newest entry on, as indexed fields show it. */
function tableOf(decoder: HpackDecoder): Fields {
  const table: Fields = [];
  for (let index = 62; ; index++) {
    const fields = decode(decoder, (0x80 | index).toString(16));
    if (fields === undefined) return table;
    table.push(...fields);
  }
}

function sizeOf(table: Fields): number {
  return table.reduce((size, [name, value]) => size + name.length + value.length + 32, 0);
}

/** Fields as the RFC prints them. */
function fieldsOf(...lines: string[]): Fields {
  return lines.map((line) => {
    const colon = line.indexOf(':', 1);
    return [line.slice(0, colon), line.slice(colon + 2)];
  });
}

describe('C.2, one field', () => {
  it.each([
    [
      'C.2.1',
      '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572',
      'custom-key: custom-header',
      55,
    ],
    ['C.2.2', '040c 2f73 616d 706c 652f 7061 7468', ':path: /sample/path', 0],
    ['C.2.3', '1008 7061 7373 776f 7264 0673 6563 7265 74', 'password: secret', 0],
    ['C.2.4', '82', ':method: GET', 0],
  ])('%s', (_, hex, field, size) => {
    const decoder = new HpackDecoder();
    expect(decode(decoder, hex)).toEqual(fieldsOf(field));
    expect(sizeOf(tableOf(decoder))).toBe(size);
  });
});

const firstRequest = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
const requests = [
  { list: fieldsOf(...firstRequest), table: fieldsOf(':authority: www.example.com'), size: 57 },
  {
    list: fieldsOf(...firstRequest, 'cache-control: no-cache'),
    table: fieldsOf('cache-control: no-cache', ':authority: www.example.com'),
    size: 110,
  },
  {
    list: fieldsOf(
      ':method: GET',
      ':scheme: https',
      ':path: /index.html',
      ':authority: www.example.com',
      'custom-key: custom-value',
    ),
    table: fieldsOf('custom-key: custom-value', 'cache-control: no-cache', ':authority: www.example.com'),
    size: 164,
  },
];

const date21 = 'date: Mon, 21 Oct 2013 20:13:21 GMT';
const date22 = 'date: Mon, 21 Oct 2013 20:13:22 GMT';
const location = 'location: https://www.example.com';
const cookie = 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';
const responses = [
  {
    list: fieldsOf(':status: 302', 'cache-control: private', date21, location),
    table: fieldsOf(location, date21, 'cache-control: private', ':status: 302'),
    size: 222,
  },
  {
    list: fieldsOf(':status: 307', 'cache-control: private', date21, location),
    table: fieldsOf(':status: 307', location, date21, 'cache-control: private'),
    size: 222,
  },
  {
    list: fieldsOf(
      ':status: 200',
      'cache-control: private',
      date22,
      location,
      'content-encoding: gzip',
      cookie,
    ),
    table: fieldsOf(cookie, 'content-encoding: gzip', date22),
    size: 215,
  },
];

describe.each([
  {
    title: 'C.3, requests without Huffman code',
    bound: 4_096,
    expected: requests,
    blocks: [
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ],
  },
  {
    title: 'C.4, requests with Huffman code',
    bound: 4_096,
    expected: requests,
    blocks: [
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ],
  },
  {
    title: 'C.5, responses without Huffman code, and evictions',
    bound: 256,
    expected: responses,
    blocks: [
      '4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32' +
        '3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '4803 3330 37c1 c0bf',
      '88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970' +
        '7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61' +
        '6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31',
    ],
  },
  {
    title: 'C.6, responses with Huffman code, and evictions',
    bound: 256,
    expected: responses,
    blocks: [
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad' +
        '1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
      '4883 640e ffc1 c0bf',
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2' +
        'e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07',
    ],
  },
])('$title', ({ bound, blocks, expected }) => {
  const decoder = new HpackDecoder(bound);

  it.each(blocks.map((block, i) => ({ number: i + 1, block, ...expected[i] })))(
    'block $number',
    (example) => {
      expect(decode(decoder, example.block)).toEqual(example.list);
      expect(tableOf(decoder)).toEqual(example.table);
      expect(sizeOf(tableOf(decoder))).toBe(example.size);
    },
  );
});
