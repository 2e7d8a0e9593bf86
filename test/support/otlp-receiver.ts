import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';

/** A span as a receiver sees it. Ids are in hexadecimal. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where there is none. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly status: { readonly code: string; readonly message: string } | null;
  /** Of its resource. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** A receiver of OTLP that shares no code with the sender. */
export interface OtlpReceiver extends AsyncDisposable {
  /** As `OTEL_EXPORTER_OTLP_ENDPOINT` wants it. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** Of each request. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
}

const definition = loadSync(fileURLToPath(new URL('otlp/trace-service.proto', import.meta.url)), {
  enums: String,
  longs: Number,
  defaults: true,
  oneofs: true,
})['opentelemetry.proto.collector.trace.v1.TraceService'] as ServiceDefinition;
const decode = (definition['Export'] as NonNullable<(typeof definition)[string]>).requestDeserialize;

/** PEM; a client must show a certificate of the authority. */
export interface OtlpReceiverTls {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** @param tls plain text unless given */
export function receiveOtlp(protocol: 'http' | 'grpc', tls?: OtlpReceiverTls): Promise<OtlpReceiver> {
  return protocol === 'http' ? receiveHttp(tls) : receiveGrpc(tls);
}

async function receiveHttp(tls: OtlpReceiverTls | undefined): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const take: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const octets = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    if (request.url === '/v1/traces') spans.push(...spansOf(decode(octets)));
    headers.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  };
  const server =
    tls === undefined
      ? createServer(take)
      : createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { endpoint: endpointOf(port, tls), spans, headers, [Symbol.asyncDispose]: stop };
}

async function receiveGrpc(tls: OtlpReceiverTls | undefined): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = new Server();
  const take = (call: ServerUnaryCall<object, object>, reply: sendUnaryData<object>) => {
    spans.push(...spansOf(call.request));
    headers.push(call.metadata.getMap());
    reply(null, {});
  };
  server.addService(definition, { Export: take });
  const port = await new Promise<number>((resolve, reject) => {
    const credentials =
      tls === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(tls.ca, [{ private_key: tls.key, cert_chain: tls.cert }], true);
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const stop = async () => server.forceShutdown();
  return { endpoint: endpointOf(port, tls), spans, headers, [Symbol.asyncDispose]: stop };
}

function endpointOf(port: number, tls: OtlpReceiverTls | undefined): string {
  // grpc-js takes no address for the name that a certificate must have.
  return tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
}

interface RawAttribute {
  readonly key: string;
  readonly value: { readonly value: string } & Readonly<Record<string, string | number>>;
}

interface RawSpan
  extends Omit<ReceivedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'attributes' | 'resource'> {
  readonly traceId: Buffer;
  readonly spanId: Buffer;
  readonly parentSpanId: Buffer;
  readonly attributes: readonly RawAttribute[];
}

interface RawRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly RawAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

function spansOf(request: object): ReceivedSpan[] {
  return (request as RawRequest).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        traceId: span.traceId.toString('hex'),
        spanId: span.spanId.toString('hex'),
        parentSpanId: span.parentSpanId.toString('hex'),
        attributes: recordOf(span.attributes),
        resource: recordOf(resource.attributes),
      })),
  );
}

function recordOf(attributes: readonly RawAttribute[]): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value[value.value] as string | number]));
}
