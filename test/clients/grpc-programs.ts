import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireTool, type ToolName } from '../support/tools.ts';
import type { Port } from './describe-each-port.ts';
import { requestOf } from './requests.ts';
import { outputOf } from './run-program.ts';

/** A program that makes calls by a library of gRPC, and prints what they came to. */
export interface GrpcProgram {
  readonly library: string;
  readonly tools: readonly ToolName[];
  readonly command: () => string;
  readonly args: readonly string[];
  /** What it must make do with for all its calls. */
  readonly connections: number;
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export const grpcJs: GrpcProgram = {
  library: 'grpc-js',
  tools: [],
  command: () => process.execPath,
  args: [pathOf('node/grpc-js-client.ts')],
  connections: 2, // it compresses all calls of a channel, or none
};

export const grpcGo: GrpcProgram = {
  library: 'grpc-go',
  tools: ['grpc-go-client'],
  command: () => requireTool('grpc-go-client'),
  args: [],
  connections: 1,
};

export const grpcio: GrpcProgram = {
  library: 'grpcio',
  tools: ['python-grpcio'],
  command: () => requireTool('python-grpcio'),
  args: [pathOf('python/grpcio_client.py')],
  connections: 1,
};

/** Lets a program make its calls; its library is the caller. Returns what it prints. */
export async function runGrpcProgram(
  port: Port,
  { library, command, args }: GrpcProgram,
  options: readonly string[],
): Promise<unknown> {
  const request = writeMessage(port, library);
  const authority = port.caFile === undefined ? [] : ['--ca', port.caFile];
  const all = [...args, '--target', port.address, '--request', request, ...authority, ...options];
  return JSON.parse((await outputOf(command(), all)).toString());
}

/** A file with the request of a caller. */
export function writeMessage(port: Port, caller: string): string {
  const file = join(port.folder, `${caller.slice(0, 20)}-${caller.length}`);
  writeFileSync(file, requestOf(caller));
  return file;
}
