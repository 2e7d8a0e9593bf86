import type { GrpcCode } from '../transport/grpc-status.ts';

/** A call that has ended, for metrics and traces. */
export interface CallEvent {
  readonly protocol: 'grpc' | 'http';
  /** `ShouldRateLimit` (also of `/json`), `Check`, `Watch`, `ServerReflectionInfo`. */
  readonly method: string;
  /** A stream lasts as long as its caller likes, so its time says nothing. */
  readonly isStream: boolean;
  readonly code: GrpcCode;
  /** From the whole request to the whole answer, without the network. */
  readonly seconds: number;
}

/** Called once at the end of each call. It must not throw. */
export type CallListener = (event: CallEvent) => void;
