import { gunzip } from 'node:zlib';
import { type GrpcStatus, grpcStatus } from '../grpc-status.ts';
import type { CallFault } from '../transport-event.ts';
import type { MessageAssembly } from './message-assembly.ts';

/** A request that can't be read, and what its caller is told. */
export interface MessageFault {
  readonly fault: CallFault;
  readonly status: GrpcStatus;
}

export const noMessage: MessageFault = badMessage('the call ended without a message');
export const truncated: MessageFault = badMessage('the call ended in the midst of a message');
export const secondMessage: MessageFault = badMessage('the call has a second message');

/** What is wrong with a message, as far as its prefix tells. Looked at before anything of it is kept. */
export function prefixFault(
  assembly: Pick<MessageAssembly, 'compressedFlag' | 'length'>,
  encoding: string,
  maxBytes: number,
): MessageFault | undefined {
  const { compressedFlag: flag, length } = assembly;
  if (length === undefined) return undefined;
  if (length > maxBytes) return tooLarge(maxBytes);
  if (flag > 1) return badMessage(`the message has the compressed flag ${flag}`);
  if (flag === 0 || encoding === 'gzip') return undefined;
  if (encoding === '' || encoding === 'identity') {
    return badMessage('the message is flagged as compressed, and the call names no encoding');
  }
  const status = grpcStatus('UNIMPLEMENTED', `the encoding ${encoding} is not known`);
  return { fault: 'unknown-encoding', status };
}

/** Decompresses a message, up to the same size as any other. Runs beside the loop, as it may take long. */
export function decompress(message: Buffer, maxBytes: number): Promise<Buffer | MessageFault> {
  return new Promise((resolve) => {
    gunzip(message, { maxOutputLength: Math.max(1, maxBytes) }, (error, result) => {
      if (error === null) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') resolve(tooLarge(maxBytes));
      else resolve(badMessage('the message can not be decompressed'));
    });
  });
}

function badMessage(text: string): MessageFault {
  return { fault: 'bad-message', status: grpcStatus('INTERNAL', text) };
}

function tooLarge(maxBytes: number): MessageFault {
  const status = grpcStatus(
    'RESOURCE_EXHAUSTED',
    `the message is larger than the ${maxBytes} octets allowed`,
  );
  return { fault: 'message-size', status };
}
