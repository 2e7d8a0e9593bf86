/** What a load has shown; all times but `seconds` are in microseconds. */
export interface LoadResult {
  /** Calls that are over, however they ended. */
  readonly calls: number;
  /**
   * Those without an answer that says OK on each level: HTTP/2, HTTP, gRPC, and a message that is not empty.
   */
  readonly failed: number;
  /** From the first call to the last answer. */
  readonly seconds: number;
  /** Calls that succeeded. */
  readonly callsPerSecond: number;
  /**
   * Latency of the calls that succeeded: median and above. In an open loop it counts from the moment a call
   * was due.
   */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** How late calls were sent, which the latency includes. With a closed loop 0. */
  readonly delayP50: number;
  readonly delayP99: number;
  /** CPU time of all threads of the load generator. */
  readonly generatorCpuMicrosPerCall: number;
  /** Calls before the measuring: none of the above counts them, but the service has answered them. */
  readonly warmUpCalls: number;
  /** Connections it took: more than asked for if the server sent GOAWAY. */
  readonly opened: number;
}
