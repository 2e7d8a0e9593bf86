/** What stands before a message, and takes its part of the windows: "gRPC over HTTP/2", Length-Prefixed-Message. */
export const messagePrefixBytes = 5;

/** What one connection may cost. Counts are per connection; times are in ms. */
export interface TransportLimits {
  /** Open calls, and cancelled ones whose work has not ended; more are refused, so that the client tries elsewhere. */
  readonly maxConcurrentStreams: number;
  /** Largest payload of a frame that is taken, 16384 to 2^24-1 (SETTINGS_MAX_FRAME_SIZE). */
  readonly maxFrameBytes: number;
  /** Names, values and 32 for each field, summed (SETTINGS_MAX_HEADER_LIST_SIZE). */
  readonly maxHeaderListBytes: number;
  /** A gRPC message, also when it was compressed. */
  readonly maxMessageBytes: number;
  /** What a client may send ahead in one call. */
  readonly streamWindowBytes: number;
  /** What a client may send ahead in all its calls, and so what incomplete messages of a connection can hold. */
  readonly connectionWindowBytes: number;
  /** Octets that a client does not read, or does not allow to be sent. */
  readonly maxUnsentBytes: number;
  /** Cancellations of calls that were only just begun; five seconds' worth may come at once. */
  readonly resetsPerSecond: number;
  /** Faults that end a call and not the connection; ten seconds' worth may come at once. */
  readonly streamErrorsPerSecond: number;
  readonly settingsPerMinute: number;
  /** Besides one for each call. */
  readonly pingsPerMinute: number;
  /** Frames without content that end nothing. */
  readonly emptyFramesPerMinute: number;
  /** PING frames that come three times in a row closer than this, without a call between them, are too many. 0: never. */
  readonly minPingIntervalMs: number;
  /** From the connection to the client's first SETTINGS. */
  readonly handshakeTimeoutMs: number;
  /** From the beginning of a frame, and of a request, to its end. */
  readonly receiveTimeoutMs: number;
  /** A client that takes nothing of what waits for it for so long is given up. */
  readonly stallTimeoutMs: number;
  /** A connection without calls is ended after this time. 0: never. */
  readonly idleTimeoutMs: number;
}
