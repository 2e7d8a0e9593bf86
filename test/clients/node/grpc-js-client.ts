/**
 * The calls of `grpc-clients.test.ts` by grpc-js, printed as one JSON object: what each call came to. It makes and reads no
 * messages: they are octets here, and the suite decodes them.
 *
 *     grpc-js-client.ts --target HOST:PORT --request FILE --large FILE [--ca FILE]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type CallOptions,
  Client,
  type ClientReadableStream,
  compressionAlgorithms,
  credentials,
  Metadata,
  type StatusObject,
} from '@grpc/grpc-js';
import type { Outcome, Outcomes } from '../grpc-outcomes.ts';

const rateLimit = '/envoy.service.ratelimit.v3.RateLimitService/';
const health = '/grpc.health.v1.Health/';
const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const limitPath = `${rateLimit}ShouldRateLimit`;
const callTimeoutMs = 10_000;
const shortTimeoutMs = 300;

/** A ServerReflectionRequest with `list_services: "*"`, field 7. */
const listServices = Buffer.from('\x3a\x01*');
const tooLarge = Buffer.alloc(5 * 1024 * 1024);

const asItIs = (octets: Buffer) => octets;

interface Calls {
  readonly plain: Client;
  /** Compresses all that it sends. */
  readonly gzip: Client;
  readonly request: Buffer;
  readonly large: Buffer;
}

async function calls({ plain, gzip, request, large }: Calls): Promise<Outcomes> {
  const described = new Metadata();
  described.set('x-long', '0123456789'.repeat(1_000));
  described.set('x-octets-bin', Buffer.of(0x00, 0xff, 0x80));
  described.add('x-twice', 'a');
  described.add('x-twice', 'b');
  return {
    unary: await unary(plain, limitPath, request),
    gzip: await unary(gzip, limitPath, request),
    metadata: await unary(plain, limitPath, request, described),
    large: await unary(plain, limitPath, large),
    'large-gzip': await unary(gzip, limitPath, large),
    'too-large': await atATime(1, 10, () => unary(plain, limitPath, tooLarge)),
    'unknown-method': await unary(plain, `${rateLimit}NoSuchMethod`, request),
    check: await unary(plain, `${health}Check`, Buffer.alloc(0)),
    cancelled: await watch(plain, { isCancelled: true }),
    'timed-out': await watch(plain, { isCancelled: false }),
    'request-without-end': await requestWithoutEnd(plain),
    reflection: await listServicesTwice(plain),
    concurrent: await atATime(200, 200, () => unary(plain, limitPath, request)),
    last: await unary(plain, limitPath, large),
  };
}

function deadline(timeoutMs = callTimeoutMs): CallOptions {
  return { deadline: Date.now() + timeoutMs };
}

function unary(client: Client, path: string, request: Buffer, metadata = new Metadata()): Promise<Outcome> {
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, asItIs, asItIs, request, metadata, deadline(), (error, answer) =>
      resolve(outcome(error, answer === undefined ? [] : [answer])),
    );
  });
}

/** One Health.Watch, which has no end of its own, up to its deadline or until it is cancelled after the first answer. */
function watch(client: Client, { isCancelled }: { isCancelled: boolean }): Promise<Outcome> {
  const path = `${health}Watch`;
  const timeout = deadline(isCancelled ? callTimeoutMs : shortTimeoutMs);
  const call = client.makeServerStreamRequest(path, asItIs, asItIs, Buffer.alloc(0), timeout);
  if (isCancelled) call.once('data', () => call.cancel());
  return ended(call);
}

/** A unary call that never says what it asks. */
function requestWithoutEnd(client: Client): Promise<Outcome> {
  return new Promise((resolve) => {
    client.makeClientStreamRequest(limitPath, asItIs, asItIs, deadline(shortTimeoutMs), (error) =>
      resolve(outcome(error, [])),
    );
  });
}

/** A call that streams both ways: the second question goes out when the first is answered. */
function listServicesTwice(client: Client): Promise<Outcome> {
  const call = client.makeBidiStreamRequest(reflection, asItIs, asItIs, deadline());
  call.write(listServices);
  call.once('data', () => call.end(listServices));
  return ended(call);
}

function ended(call: ClientReadableStream<Buffer>): Promise<Outcome> {
  const answers: Buffer[] = [];
  call.on('data', (answer: Buffer) => answers.push(answer));
  call.on('error', () => {}); // it is the status
  return new Promise((resolve) => {
    call.on('status', (status) => resolve(outcome(status, answers)));
  });
}

/** So many calls, with a number of them under way at any time. */
async function atATime(width: number, count: number, ask: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Promise<Outcome>[] = [];
  const askOneAfterAnother = async () => {
    while (outcomes.length < count) {
      const asked = ask();
      outcomes.push(asked);
      await asked;
    }
  };
  await Promise.all(Array.from({ length: width }, askOneAfterAnother));
  return await Promise.all(outcomes);
}

function outcome(status: Pick<StatusObject, 'code' | 'details'> | null, answers: readonly Buffer[]): Outcome {
  return {
    code: status?.code ?? 0,
    text: status?.details ?? '',
    answers: answers.map((octets) => octets.toString('hex')),
  };
}

const { target, request, large, ca } = parseArgs({
  options: {
    target: { type: 'string', default: '' },
    request: { type: 'string', default: '' },
    large: { type: 'string', default: '' },
    ca: { type: 'string' },
  },
}).values;
const security = ca === undefined ? credentials.createInsecure() : credentials.createSsl(readFileSync(ca));
const [plain, gzip] = [compressionAlgorithms.identity, compressionAlgorithms.gzip].map(
  (algorithm) => new Client(target, security, { 'grpc.default_compression_algorithm': algorithm }),
) as [Client, Client];
const outcomes = await calls({
  plain,
  gzip,
  request: readFileSync(request),
  large: readFileSync(large),
});
console.log(JSON.stringify(outcomes));
plain.close();
gzip.close();
