import type { Json } from '../../src/domain/decision.ts';
import { seriesOf } from '../support/exposition.ts';
import { checkHealth, createGrpcClient, type GrpcAnswer, shouldRateLimit } from '../support/grpc-client.ts';
import { httpCall } from '../support/http-call.ts';
import type { Listener } from '../support/start-weir.ts';
import { jsonOfResponse, requestOfJson } from './rate-limit-json.ts';
import type { HttpStep } from './scenario.ts';

/** Asks a running service; answers have the shapes of a step's `expect`. */
export interface ServiceClient {
  rateLimit(request: Json): Promise<Json>;
  rateLimitRaw(base64: string): Promise<Json>;
  health(service: string): Promise<Json>;
  http(step: HttpStep): Promise<Json>;
  /** Values of all series whose name and labels contain the text. */
  series(text: string): Promise<ReadonlyMap<string, number>>;
  close(): void;
}

/** @param ignoredSeries names and labels of series that are not to be seen */
export function createServiceClient(
  address: (listener: Listener) => string,
  ignoredSeries?: RegExp,
): ServiceClient {
  const grpc = createGrpcClient(address('grpc'));
  return {
    rateLimit: async (request) => answerOf(await grpc.call(shouldRateLimit, requestOfJson(request))),
    rateLimitRaw: async (base64) =>
      answerOf(await grpc.callRaw(shouldRateLimit, Buffer.from(base64, 'base64'))),
    health: async (service) => {
      const answer = await grpc.call(checkHealth, { service });
      return 'status' in answer ? { ...answer } : { health: String(answer.response['status']) };
    },
    http: (step) => askHttp(address(step.on ?? 'http'), step),
    series: async (text) => {
      const { body } = await httpCall({ address: address('metrics'), path: '/metrics' });
      // Buckets and sums of histograms depend on time, and are left out.
      const isSeen = (name: string) =>
        !/_(bucket|sum)($|\{)/.test(name) && ignoredSeries?.test(name) !== true;
      return new Map([...seriesOf(body)].filter(([name]) => name.includes(text) && isSeen(name)));
    },
    close: () => grpc.close(),
  };
}

function answerOf(answer: GrpcAnswer): Json {
  return 'status' in answer ? { ...answer } : { response: jsonOfResponse(answer.response) };
}

async function askHttp(address: string, { method, path, body, lines, only }: HttpStep): Promise<Json> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await httpCall({ address, path, method, ...(text === undefined ? {} : { body: text }) });
  const httpStatus = answer.status;
  if (only === 'status') return { httpStatus };
  if (lines !== undefined) {
    const found = answer.body.split('\n').filter((line) => line.startsWith(lines));
    // By code units: all lines that the data ask for are ASCII.
    return { httpStatus, lines: found.sort() };
  }
  const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false;
  return isJson ? { httpStatus, json: JSON.parse(answer.body) } : { httpStatus, text: answer.body };
}
