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

/** Fields that are no request, or none of gRPC, and what the server calls that. */
export function badFields(
  random: Random,
  fields: readonly HeaderField[],
  limits: Pick<TransportLimits, 'maxHeaderListBytes'>,
): { fields: HeaderField[]; fault: CallFault } {
  const without = (name: string) => fields.filter((field) => field[0] !== name);
  const more = (name: string, value: string): HeaderField[] => [...fields, [name, value]];
  const [fault, changed] = random.pick<[CallFault, () => HeaderField[]]>([
    ['malformed', () => without(random.pick([':method', ':path', ':scheme']))],
    [
      'malformed',
      () => more(random.pick(['X-Upper', 'a b', 'connection', '', ':method', ':unknown', 'x\xff']), '1'),
    ],
    ['malformed', () => more('x-line', 'a\r\nb')],
    ['malformed', () => more('te', 'gzip')],
    ['malformed', () => [['x-first', '1'], ...fields]],
    [
      'malformed',
      () => [...without('content-length'), ['content-length', random.pick(['x', '-1', '99999999', '1'])]],
    ],
    ['malformed', () => [...fields, ['content-length', '7'], ['content-length', '8']]],
    ['header-list-size', () => more('x-large', someText(random, limits.maxHeaderListBytes))],
    [
      'not-grpc',
      () => [
        ...without('content-type'),
        ['content-type', random.pick(['text/plain', 'application/grpc-web', ''])],
      ],
    ],
    ['not-grpc', () => [[':method', 'GET'], ...without(':method')]],
    [
      'unknown-method',
      () => [
        ...without(':path').slice(0, 2),
        [':path', `/${someText(random, 20)}`],
        ...without(':path').slice(2),
      ],
    ],
    [
      'bad-timeout',
      () => [
        ...without('grpc-timeout'),
        ['grpc-timeout', random.pick(['x', '1', '123456789m', '-1S', '1 S'])],
      ],
    ],
  ]);
  return { fields: changed(), fault };
}

export function someText(random: Random, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += characters[random.below(characters.length)];
  return text;
}

function sizeOf([name, value]: HeaderField): number {
  return name.length + value.length + overhead;
}
