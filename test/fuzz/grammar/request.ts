import { gzipSync } from 'node:zlib';
import type { HeaderField } from '../../../src/transport/hpack/static-table.ts';
import type { CallFault } from '../../../src/transport/transport-event.ts';
import type { TransportLimits } from '../../../src/transport/transport-limits.ts';
import { grpcMessage, uint32 } from '../../support/http2-frames.ts';
import { Random } from '../random.ts';
import { paths } from '../scripted-calls.ts';
import { badFields, extraFields } from './header-fields.ts';

/** A call that a client makes. */
export interface PlannedRequest {
  readonly fields: readonly HeaderField[];
  readonly body: Buffer;
  /** What the handler gets. */
  readonly messages: readonly Buffer[];
  readonly isServerStream: boolean;
  readonly isUnary: boolean;
  /** What is wrong with it, on purpose. */
  readonly fault: CallFault | undefined;
}

/** Messages are cut from here. */
const material = Buffer.alloc(1 << 18);
const fill = new Random(1);
for (let at = 0; at < material.length; at += 4) material.writeUInt32BE(fill.bits(), at);

const compressible = Array.from({ length: 8 }, (_, i) => {
  const message = Buffer.from(`compressed ${i} `.repeat(1 + 200 * i));
  return { message, compressed: grpcMessage(gzipSync(message), 1) };
});

/** Larger than the smaller ones of the limits, when it is decompressed. */
const bombBytes = 200_000;
const bomb = grpcMessage(gzipSync(Buffer.alloc(bombBytes)), 1);

const methods = [paths.unary, paths.unary, paths.otherUnary, paths.serverStream, paths.bidi, paths.bidi];
const usualLargeIn = 8;
const timeouts = ['1S', '250m', '99999999H', '59995081u', '0n', '1374684n'];

/** @param largeIn one message in so many is a large one */
export function planRequest(random: Random, limits: TransportLimits, largeIn = usualLargeIn): PlannedRequest {
  const path = random.pick(methods);
  const isUnary = path === paths.unary || path === paths.otherUnary;
  const isServerStream = path === paths.serverStream;
  const kind = { isUnary, isServerStream, isBidi: path === paths.bidi };
  const body = random.oneIn(12)
    ? badBody(random, limits, kind)
    : goodBody(random, kind, () => someMessage(random, limits, largeIn));
  const encoding: HeaderField[] = body.encoding === '' ? [] : [['grpc-encoding', body.encoding]];
  const timeout: HeaderField[] = random.oneIn(8) ? [['grpc-timeout', random.pick(timeouts)]] : [];
  const length: HeaderField[] = random.oneIn(8) ? [['content-length', String(body.octets.length)]] : [];
  const regular: HeaderField[] = [
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ...encoding,
    ...timeout,
    ...length,
  ];
  const fields: HeaderField[] = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'fuzz'],
    ...regular,
  ];
  // One fault in one call: which of two is seen is not said.
  const bad = body.fault === undefined && random.oneIn(15) ? badFields(random, fields, limits) : undefined;
  return {
    fields: bad?.fields ?? extraFields(random, fields, limits),
    body: body.octets,
    messages: body.messages,
    isUnary,
    isServerStream,
    fault: bad?.fault ?? body.fault,
  };
}

interface Body {
  readonly octets: Buffer;
  readonly messages: readonly Buffer[];
  readonly encoding: string;
  readonly fault: CallFault | undefined;
}

interface Kind {
  readonly isUnary: boolean;
  readonly isServerStream: boolean;
  readonly isBidi: boolean;
}

function goodBody(random: Random, { isBidi }: Kind, message: () => Buffer): Body {
  if (random.oneIn(40)) {
    const { message, compressed } = random.pick(compressible);
    return { octets: compressed, messages: [message], encoding: 'gzip', fault: undefined };
  }
  const messages = Array.from({ length: isBidi ? random.below(6) : 1 }, message);
  const encoding = random.oneIn(10) ? random.pick(['identity', 'gzip', 'snappy']) : '';
  return {
    octets: Buffer.concat(messages.map((one) => grpcMessage(one))),
    messages,
    encoding,
    fault: undefined,
  };
}

function someMessage(random: Random, limits: TransportLimits, largeIn: number): Buffer {
  const most = Math.min(limits.maxMessageBytes, material.length / 2);
  const size = random.oneIn(largeIn) ? random.below(most) : random.size(250);
  const at = random.below(material.length - size);
  return material.subarray(at, at + size);
}

function badBody(random: Random, limits: TransportLimits, kind: Kind): Body {
  const good = grpcMessage(material.subarray(0, random.size(5_000)));
  const bad = (octets: Buffer, fault: CallFault, encoding = ''): Body => ({
    octets,
    messages: [],
    encoding,
    fault,
  });
  switch (random.below(7)) {
    case 0:
      return bad(good.subarray(0, random.below(good.length - 1) + 1), 'bad-message');
    case 1:
      return bad(Buffer.concat([Buffer.of(random.between(2, 255)), good.subarray(1)]), 'bad-message');
    case 2:
      return bad(grpcMessage(good, 1), 'unknown-encoding', 'snappy');
    case 3: {
      const length = Math.min(0xffff_ffff, limits.maxMessageBytes + 1 + random.size(0x7fff_ffff));
      return bad(Buffer.concat([Buffer.of(0), uint32(length), good.subarray(0, 50)]), 'message-size');
    }
    case 4:
      if (limits.maxMessageBytes < bombBytes) return bad(bomb, 'message-size', 'gzip');
      return bad(good.subarray(0, 3), 'bad-message');
    case 5:
      return bad(grpcMessage(good, 1), 'bad-message', random.pick(['', 'identity', 'gzip']));
    default:
      return kind.isBidi
        ? bad(Buffer.of(0), 'bad-message')
        : bad(random.oneIn(2) ? Buffer.alloc(0) : Buffer.concat([good, good]), 'bad-message');
  }
}
