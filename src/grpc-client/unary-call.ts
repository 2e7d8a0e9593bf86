import type { Client, Metadata } from '@grpc/grpc-js';

export interface UnaryCall {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly request: Uint8Array;
  readonly metadata: Metadata;
  /** In ms. */
  readonly timeoutMs: number;
}

/** One call with octets for messages. Rejects with the library's error, also at the signal. */
export function unaryCall(client: Client, call: UnaryCall, signal: AbortSignal): Promise<Buffer> {
  const { path, request, metadata, timeoutMs } = call;
  return new Promise((resolve, reject) => {
    const running = client.makeUnaryRequest(
      path,
      (octets: Uint8Array) => Buffer.from(octets),
      (octets: Buffer) => octets,
      request,
      metadata,
      { deadline: Date.now() + timeoutMs },
      (error, answer) => {
        signal.removeEventListener('abort', cancel);
        if (error === null && answer !== undefined) resolve(answer);
        else reject(error);
      },
    );
    const cancel = () => running.cancel();
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
  });
}
