import type { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import { type GrpcStatus, grpcStatus } from '../../transport/grpc-status.ts';
import type { OctetWriter } from '../../transport/octet-writer.ts';

/** The part of a generated message type that a method needs. */
interface GeneratedRequest<Message> {
  decode(input: BinaryReader | Uint8Array, length?: number): Message;
}

interface GeneratedResponse<Message> {
  encode(message: Message, writer?: BinaryWriter): BinaryWriter;
}

/**
 * Health checks and reflection ask short questions. Their calls stay open, with the question in their hands, so that long
 * ones would add up.
 */
const maxRequestBytes = 1_024;

const tooLarge = grpcStatus(
  'RESOURCE_EXHAUSTED',
  `the message is larger than the ${maxRequestBytes} octets allowed`,
);

/** `deserialize` and `serialize` of a method whose messages are generated, for services off the hot path. */
export function generatedCodec<Request, Response>(
  request: GeneratedRequest<Request>,
  response: GeneratedResponse<Response>,
) {
  return {
    deserialize(octets: Buffer): Request | GrpcStatus {
      if (octets.length > maxRequestBytes) return tooLarge;
      try {
        return request.decode(octets);
      } catch {
        // Generated decoders throw at octets that are no such message, and only then.
        return grpcStatus('INVALID_ARGUMENT', 'malformed message');
      }
    },
    serialize(message: Response, out: OctetWriter): void {
      out.bytes(response.encode(message).finish());
    },
  };
}
