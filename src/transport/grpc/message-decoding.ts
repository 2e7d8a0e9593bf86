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
export const noRoom: MessageFault = Object.freeze({
  fault: 'window-exhausted',
  status: grpcStatus('RESOURCE_EXHAUSTED', 'too many large calls at once on this connection'),
});

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

export function badMessage(text: string): MessageFault {
  return { fault: 'bad-message', status: grpcStatus('INTERNAL', text) };
}

export function tooLarge(maxBytes: number): MessageFault {
  const status = grpcStatus(
    'RESOURCE_EXHAUSTED',
    `the message is larger than the ${maxBytes} octets allowed`,
  );
  return { fault: 'message-size', status };
}
