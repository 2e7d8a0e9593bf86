import { type BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** How many fields of a message, and of those in it, may still be read: two octets make one. */
export interface FieldBudget {
  left: number;
}

/**
 * Goes through the fields of a message up to its end, as `number << 3 | wire type`. One that is not read meanwhile is
 * skipped. Throws where there are more than may be read, and where it is no message of etcd's.
 */
export function* fieldsOf(reader: BinaryReader, end: number, budget: FieldBudget): Generator<number> {
  while (reader.pos < end) {
    budget.left -= 1;
    if (budget.left < 0) throw new Error('the answer has more fields than are read');
    const [number, wireType] = reader.tag();
    // They have no length, and etcd has none.
    if (wireType === WireType.StartGroup) throw new Error('the answer is no message of etcd');
    const start = reader.pos;
    yield (number << 3) | wireType;
    if (reader.pos === start) reader.skip(wireType, number);
  }
  if (reader.pos !== end) throw new Error('the answer is no message of etcd');
}

/** Reads the length of a message in a message. @returns where it ends */
export function innerEnd(reader: BinaryReader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new Error('the answer is no message of etcd');
  return end;
}
