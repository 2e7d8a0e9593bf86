import { HpackDecoder } from '../../../src/transport/hpack/hpack-decoder.ts';
import type { HeaderField } from '../../../src/transport/hpack/static-table.ts';
import { OctetWriter } from '../../../src/transport/octet-writer.ts';
import { extraFields } from '../grammar/header-fields.ts';
import { HpackWriter } from '../grammar/hpack-writer.ts';
import { Fault } from '../oracle/fault.ts';
import type { Random } from '../random.ts';

const tableSize = 4_096;
const overhead = 32;
const firstDynamic = 62;
const mostEntries = tableSize / overhead;
const around = 64;
const limits = { maxHeaderListBytes: 16_384 };
const first: readonly HeaderField[] = [
  [':method', 'POST'],
  [':path', '/'],
  ['content-type', 'application/grpc'],
];

const out = new OctetWriter();

/** Header blocks of one connection: good ones as they are, changed ones, and octets at random. @returns how many */
export function fuzzHpack(random: Random): number {
  const decoder = new HpackDecoder();
  const writer = new HpackWriter(random);
  const blocks = 1 + random.size(40);
  let isSound = true;
  for (let i = 0; i < blocks; i++) {
    out.at = 0;
    // Octets before and behind the block, which must not matter.
    for (let j = 0; j < around; j++) out.octet(0xff);
    const fields = extraFields(random, first.slice(random.below(3)), limits);
    writer.block(fields, out);
    const end = out.at;
    for (let j = 0; j < around; j++) out.octet(0x82);
    const isChanged = random.oneIn(8);
    if (isChanged) change(out.octets, around, end, random);
    const decoded = decode(decoder, out.octets, around, end);
    if (isChanged || !isSound) isSound = false;
    else if (!isEqual(decoded, fields))
      throw new Fault('sound header blocks are decoded', out.octets.toString('hex', around, end));
    checkTable(decoder);
  }
  return blocks;
}

function change(octets: Buffer, start: number, end: number, random: Random): void {
  if (random.oneIn(4)) for (let at = start; at < end; at++) octets[at] = random.below(256);
  for (let count = random.size(8) + 1; count > 0 && end > start; count--) {
    const at = start + random.below(end - start);
    octets[at] = random.oneIn(2)
      ? random.pick([0, 0x7f, 0x80, 0xff, 0x3f, 0x1f])
      : (octets[at] as number) ^ (1 << random.below(8));
  }
}

/** @returns undefined when the block is none */
function decode(
  decoder: HpackDecoder,
  octets: Buffer,
  start: number,
  end: number,
): HeaderField[] | undefined {
  const fields: HeaderField[] = [];
  const isSound = decoder.decode(octets, start, end, { field: (name, value) => fields.push([name, value]) });
  // A field takes an octet at least; its texts come from the table, or from octets of which none is more than 8/5 of one.
  const longest = Math.max(tableSize, 2 * (end - start));
  const isLong = fields.some(([name, value]) => name.length > longest || value.length > longest);
  if (fields.length > end - start || isLong)
    throw new Fault('a header list is as long as its block', `${fields.length} fields`);
  return isSound ? fields : undefined;
}

/** All that is in the dynamic table counts less than its bound. */
function checkTable(decoder: HpackDecoder): void {
  let size = 0;
  for (let index = firstDynamic; ; index++) {
    const block = index < 0x7f ? Buffer.of(0x80 | index) : Buffer.of(0xff, index - 0x7f);
    const field = decode(decoder, block, 0, block.length)?.[0];
    if (field === undefined) break;
    size += field[0].length + field[1].length + overhead;
    if (size > tableSize || index > firstDynamic + mostEntries)
      throw new Fault('the dynamic table is bounded', `${size} octets`);
  }
}

function isEqual(decoded: readonly HeaderField[] | undefined, fields: readonly HeaderField[]): boolean {
  if (decoded?.length !== fields.length) return false;
  return decoded.every(([name, value], i) => name === fields[i]?.[0] && value === fields[i]?.[1]);
}
