/** gRPC's status codes by name: "Status codes and their use in gRPC". */
export const grpcCodes = Object.freeze({
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const);

export type GrpcCode = keyof typeof grpcCodes;

/** The end of a call that has no (further) message. */
export interface GrpcStatus {
  readonly kind: 'status';
  readonly code: GrpcCode;
  /** For the caller: says nothing of the inside. */
  readonly message: string;
}

export function grpcStatus(code: GrpcCode, message: string): GrpcStatus {
  return { kind: 'status', code, message };
}

export function isGrpcStatus(value: unknown): value is GrpcStatus {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'status';
}
