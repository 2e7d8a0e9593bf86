import { fileURLToPath } from 'node:url';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { onTestFinished } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';

type Method = MethodDefinition<object, object>;

const includeDirs = [fileURLToPath(new URL('../../../proto/', import.meta.url))];
const options = { includeDirs, enums: String, longs: String, oneofs: true } as const;
const files = [
  'grpc/health/v1/health.proto',
  'grpc/reflection/v1/reflection.proto',
  'grpc/reflection/v1alpha/reflection.proto',
];
// One by one: the two versions of reflection declare the same messages.
const services: Readonly<Record<string, ServiceDefinition>> = Object.assign(
  {},
  ...files.map((file) => loadSync(file, options)),
);

/** A streamed call, as its caller sees it. */
export interface StreamCall {
  readonly messages: object[];
  /** The n-th message, from 1, once it has come. */
  message(n: number): Promise<object>;
  send(message: object): void;
  /** Says that nothing more is sent. */
  end(): void;
  cancel(): void;
  /** Name and text of the status at the end. */
  readonly ended: Promise<{ readonly status: string; readonly message: string }>;
}

/** Opens a call that streams both ways; a call that streams only answers is one whose first message ends it. */
export function openStream(address: string, service: string, name: string): StreamCall {
  const method = services[service]?.[name];
  if (method === undefined) throw new Error(`proto/ has no ${service}/${name}`);
  const { path, requestSerialize, responseDeserialize } = method as Method;
  const client = new Client(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
  const messages: object[] = [];
  call.on('data', (message: object) => messages.push(message));
  const ended = new Promise<{ status: string; message: string }>((resolve) => {
    call.on('error', ({ code, details }: ServiceError) =>
      resolve({ status: status[code] ?? '', message: details }),
    );
    call.on('status', ({ code, details }) => resolve({ status: status[code] ?? '', message: details }));
  });
  return {
    messages,
    message: (n) => waitUntil(`message ${n} of ${name}`, () => messages[n - 1]),
    send: (message) => call.write(message),
    end: () => call.end(),
    cancel: () => call.cancel(),
    ended,
  };
}
