import type { HeaderField } from '../../../src/transport/hpack/static-table.ts';
import type { CallFault } from '../../../src/transport/transport-event.ts';
import type { TransportLimits } from '../../../src/transport/transport-limits.ts';
import type { Random } from '../random.ts';

const overhead = 32;
const mostFields = 128;
const names = [
  'x-request-id',
  'user-agent',
  'traceparent',
  'tracestate',
  'authorization',
  'cookie',
  'x-bin',
  'accept',
];
const characters = 'abcdefghijklmnopqrstuvwxyz0123456789-_.~!*() ;=/%\xfc\xff"\t';

/** Fields that are of no interest to the server but must be decoded, as far as its limit allows. */
export function extraFields(
  random: Random,
  fields: readonly HeaderField[],
  limits: Pick<TransportLimits, 'maxHeaderListBytes'>,
): HeaderField[] {
  const all = [...fields];
  let left = limits.maxHeaderListBytes - fields.reduce((sum, field) => sum + sizeOf(field), 0);
  for (let count = random.size(random.oneIn(20) ? 100 : 6); count > 0 && all.length < mostFields; count--) {
    const field: HeaderField = [
      random.pick(names),
      someText(random, random.oneIn(10) ? random.size(6_000) : random.below(30)),
    ];
    left -= sizeOf(field);
    if (left < 0) break;
    all.push(field);
  }
  return all;
}

type Fields = readonly HeaderField[];

/** Ways to make fields bad, and what the server calls that. */
const changes: readonly (readonly [
  CallFault,
  (fields: Fields, random: Random, maxBytes: number) => Fields,
])[] = [
  ['malformed', (fields, random) => without(fields, random.pick([':method', ':path', ':scheme']))],
  ['malformed', (fields, random) => [...fields, [random.pick(badNames), '1']]],
  ['malformed', (fields) => [...fields, ['x-line', 'a\r\nb']]],
  ['malformed', (fields) => [...fields, ['te', 'gzip']]],
  ['malformed', (fields) => [['x-first', '1'], ...fields]],
  [
    'malformed',
    (fields, random) => changed(fields, 'content-length', random.pick(['x', '-1', '99999999', '1'])),
  ],
  ['malformed', (fields) => [...fields, ['content-length', '7'], ['content-length', '8']]],
  ['header-list-size', (fields, random, maxBytes) => [...fields, ['x-large', someText(random, maxBytes)]]],
  [
    'not-grpc',
    (fields, random) =>
      changed(fields, 'content-type', random.pick(['text/plain', 'application/grpc-web', ''])),
  ],
  ['not-grpc', (fields) => changed(fields, ':method', 'GET')],
  ['unknown-method', (fields, random) => changed(fields, ':path', `/${someText(random, 20)}`)],
  [
    'bad-timeout',
    (fields, random) => changed(fields, 'grpc-timeout', random.pick(['x', '1', '123456789m', '-1S', '1 S'])),
  ],
];
const badNames = ['X-Upper', 'a b', 'connection', '', ':method', ':unknown', 'x\xff'];

/** Fields that are no request, or none of gRPC. */
export function badFields(
  random: Random,
  fields: Fields,
  limits: Pick<TransportLimits, 'maxHeaderListBytes'>,
): { fields: Fields; fault: CallFault } {
  const [fault, change] = random.pick(changes);
  return { fields: change(fields, random, limits.maxHeaderListBytes), fault };
}

function without(fields: Fields, name: string): HeaderField[] {
  return fields.filter((field) => field[0] !== name);
}

/** In its place, or at the end where there was none. */
function changed(fields: Fields, name: string, value: string): Fields {
  if (!fields.some((field) => field[0] === name)) return [...fields, [name, value]];
  return fields.map((field) => (field[0] === name ? [name, value] : field));
}

export function someText(random: Random, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += characters[random.below(characters.length)];
  return text;
}

function sizeOf([name, value]: HeaderField): number {
  return name.length + value.length + overhead;
}
