import { type GrpcStatus, grpcCodes } from '../grpc-status.ts';
import { indexed, literal } from '../hpack/hpack-literals.ts';

/** `:status: 200` is an entry of the static table: RFC 7541, Appendix A. */
const ok = indexed(8);
const grpcContent = literal('content-type', 'application/grpc');
const maxMessageBytes = 1_024;

/** Header lists of responses, encoded once: they depend on no table, so that they are the same for all connections. */
export const responseHead = Buffer.concat([ok, grpcContent]);
export const okTrailers = literal('grpc-status', '0');

/** Trailers after messages. */
export function trailers(status: GrpcStatus): Buffer {
  return Buffer.concat([literal('grpc-status', String(grpcCodes[status.code])), ...message(status.message)]);
}

/**
 * "gRPC over HTTP/2", Trailers-Only: a status without a message before it. Of the last few, as a service that is asked for
 * too much says the same to everybody.
 */
export function trailersOnly(status: GrpcStatus): Buffer {
  const name = `${grpcCodes[status.code]} ${status.message}`;
  const known = lastStatuses.get(name);
  if (known !== undefined) return known;
  if (lastStatuses.size === maxLastStatuses) lastStatuses.clear();
  const block = Buffer.concat([ok, grpcContent, trailers(status)]);
  if (name.length <= maxMessageBytes) lastStatuses.set(name, block);
  return block;
}

const lastStatuses = new Map<string, Buffer>();
const maxLastStatuses = 16;

/** "gRPC over HTTP/2", Message-Accept-Encoding: what an encoding that is not known is answered with. */
export const acceptEncoding = literal('grpc-accept-encoding', 'identity,gzip');

/** Not gRPC, and told so in HTTP. */
export function httpRefusal(status: number, ...more: readonly Buffer[]): Buffer {
  return Buffer.concat([literal(':status', String(status)), literal('content-type', 'text/plain'), ...more]);
}

function message(text: string): Buffer[] {
  return text === '' ? [] : [literal('grpc-message', percentEncoded(text))];
}

/** "gRPC over HTTP/2", Percent-Encoded: octets of UTF-8 outside 0x20 to 0x7e, and `%`. Cut where it grows too long. */
export function percentEncoded(text: string): string {
  let encoded = '';
  for (const octet of Buffer.from(text)) {
    const isPlain = octet >= 0x20 && octet <= 0x7e && octet !== 0x25;
    const next = isPlain
      ? String.fromCharCode(octet)
      : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
    if (encoded.length + next.length > maxMessageBytes) break;
    encoded += next;
  }
  return encoded;
}
