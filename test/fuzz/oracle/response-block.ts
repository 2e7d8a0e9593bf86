import { HpackDecoder } from '../../../src/transport/hpack/hpack-decoder.ts';
import { Fault } from './fault.ts';

/** What is in a header block of a response. */
export interface ResponseBlock {
  /** `:status`, or empty. */
  readonly httpStatus: string;
  readonly isGrpc: boolean;
  /** -1 where there is none. */
  readonly grpcStatus: number;
  /** Begins with a size update of the dynamic table. */
  readonly updatesTable: boolean;
}

/** The blocks of a server are few: each is decoded once. */
const known = new Map<string, ResponseBlock>();
const maxKnown = 10_000;

/** Reads a block of a server that uses no dynamic table: RFC 7541 without state. */
export function readResponseBlock(octets: Buffer, start: number, end: number): ResponseBlock {
  const key = octets.toString('latin1', start, end);
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const block = decode(octets, start, end);
  known.set(key, block);
  return block;
}

function decode(octets: Buffer, start: number, end: number): ResponseBlock {
  const decoder = new HpackDecoder();
  const fields = new Map<string, string>();
  const isSound = decoder.decode(octets, start, end, {
    field(name, value) {
      const isLate = name.startsWith(':') && fields.size > 0;
      if (isLate || fields.has(name))
        throw new Fault('header lists are sound', `${name} of ${octets.toString('hex', start, end)}`);
      fields.set(name, value);
    },
  });
  const updatesTable = octets[start] === 0x20;
  // The decoder starts with a bound of 4096: a size update to 0 is the one change of its table.
  const isStateless = decoder.generation === (updatesTable ? 1 : 0);
  if (!isSound || !isStateless)
    throw new Fault('header blocks are sound', octets.toString('hex', start, end));
  return {
    httpStatus: fields.get(':status') ?? '',
    isGrpc: fields.get('content-type') === 'application/grpc',
    grpcStatus: Number(fields.get('grpc-status') ?? -1),
    updatesTable,
  };
}
