import type { RateLimitRequest } from '../../domain/descriptor.ts';

/** What a line of a log is to the replay. */
export type LogLine =
  | {
      readonly kind: 'request';
      /** Milliseconds since the Unix epoch. */
      readonly timeMs: number;
      readonly request: RateLimitRequest;
    }
  /** A sound line that asks for no decision. */
  | { readonly kind: 'passed' }
  | LineFault;

/** A line that cannot be used. */
export interface LineFault {
  readonly kind: 'fault';
  /** One sentence. */
  readonly message: string;
}

/** Reads one line; never throws, whatever stands in it. */
export type ReadLine = (line: string) => LogLine;

export const passedLine: LogLine = Object.freeze({ kind: 'passed' });

export function lineFault(message: string): LineFault {
  return { kind: 'fault', message };
}
