import type { ConnectionFault } from '../transport-event.ts';
import { type ErrorCode, errorCode } from './frame.ts';

/** Why a connection can't go on: RFC 9113, section 5.4.1. Handlers of frames return it; undefined is all well. */
export interface ConnectionError {
  readonly code: ErrorCode;
  readonly fault: ConnectionFault;
  /** For the client, in GOAWAY. */
  readonly debug: string;
}

export function connectionError(
  code: ErrorCode,
  fault: ConnectionFault,
  debug: string = fault,
): ConnectionError {
  return Object.freeze({ code, fault, debug });
}

export const protocolError = connectionError(errorCode.PROTOCOL_ERROR, 'protocol');
export const frameSizeError = connectionError(errorCode.FRAME_SIZE_ERROR, 'frame-size');
export const flowControlError = connectionError(errorCode.FLOW_CONTROL_ERROR, 'flow-control');
export const compressionError = connectionError(errorCode.COMPRESSION_ERROR, 'compression');

/** Too much of something that is allowed. */
export function excess(fault: ConnectionFault, debug?: string): ConnectionError {
  return connectionError(errorCode.ENHANCE_YOUR_CALM, fault, debug);
}
