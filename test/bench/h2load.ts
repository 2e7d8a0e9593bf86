import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGrpcClient, shouldRateLimit } from '../support/grpc-client.ts';
import { requireTool } from '../support/tools.ts';
import { domain } from './rules.ts';

const run = promisify(execFile);

/** A closed loop: each stream sends its next call when it has the answer. */
export interface Load {
  readonly connections: number;
  readonly streams: number;
  readonly descriptors: number;
}

export interface LoadRun extends Load {
  /** `host:port` of the gRPC listener. */
  readonly target: string;
  /** Calls of all connections together. */
  readonly calls: number;
  /** For the files with the requests. */
  readonly folder: string;
}

/**
 * Sends the calls and returns how many seconds they took. Each connection is an h2load of its own, as one has one request
 * only: so each connection asks for descriptors of its own.
 */
export async function runH2load({
  target,
  connections,
  streams,
  descriptors,
  calls,
  folder,
}: LoadRun): Promise<number> {
  const url = `http://${target}${shouldRateLimit.path}`;
  const share = Math.ceil(calls / connections);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const file = join(folder, `request-${connection}-${descriptors}`);
      writeFileSync(file, frameOf(requestFor(connection, descriptors)));
      const { stdout } = await run(requireTool('h2load'), [
        ...['-c', '1', '-m', String(streams), '-n', String(share), '-d', file],
        ...['-H', 'content-type: application/grpc', '-H', 'te: trailers', url],
      ]);
      if (!stdout.includes(`${share} succeeded, 0 failed, 0 errored, 0 timeout`)) throw new Error(stdout);
    }),
  );
  return (performance.now() - start) / 1000;
}

/** h2load does not look at the answers, so this does, once. */
export async function expectAnswers(target: string, descriptors: number): Promise<void> {
  const client = createGrpcClient(target);
  try {
    const answer = await client.call(shouldRateLimit, requestFor(0, descriptors));
    if (!('response' in answer) || answer.response['overallCode'] !== 'OK') {
      throw new Error(`${target} does not answer OK: ${JSON.stringify(answer)}`);
    }
  } finally {
    client.close();
  }
}

function requestFor(connection: number, descriptors: number) {
  return {
    domain,
    descriptors: Array.from({ length: descriptors }, (_, index) => ({
      entries: [{ key: 'user', value: `user-${connection}-${index}` }],
    })),
  };
}

/** A message of gRPC: not compressed, its length, itself. */
function frameOf(request: object): Buffer {
  const message = shouldRateLimit.requestSerialize(request);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
