import type { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Where spans go, and how. TLS is text in PEM. */
export interface OtlpReceiver {
  readonly protocol: 'http' | 'grpc';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly compression: 'none' | 'gzip';
  readonly tls: {
    readonly ca: string | undefined;
    readonly cert: string | undefined;
    readonly key: string | undefined;
  };
}

/** An enumeration of a package that is not ours to import; its values are these words. */
type Compression = NonNullable<NonNullable<ConstructorParameters<typeof HttpExporter>[0]>['compression']>;

/** Batches on their way at one time; there is one at a time, and at the end all that is left. */
const concurrencyLimit = 8;

/**
 * An exporter of the library. It would read OTEL_EXPORTER_OTLP_* itself; the settings have read them already, with their
 * errors, and what is given here counts first. Only the one that is needed is loaded.
 */
export function createOtlpExporter(receiver: OtlpReceiver): Promise<SpanExporter> {
  return receiver.protocol === 'http' ? createHttpExporter(receiver) : createGrpcExporter(receiver);
}

async function createHttpExporter(receiver: OtlpReceiver): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({
    ...common(receiver),
    headers: { ...receiver.headers },
    httpAgentOptions: tls(receiver),
  });
}

async function createGrpcExporter(receiver: OtlpReceiver): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-grpc');
  const { credentials, Metadata } = await import('@grpc/grpc-js');
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(receiver.headers)) metadata.set(name, value);
  const { ca, cert, key } = receiver.tls;
  const secure = () => credentials.createSsl(octets(ca), octets(key), octets(cert));
  return new OTLPTraceExporter({
    ...common(receiver),
    metadata,
    credentials: receiver.url.startsWith('https:') ? secure() : credentials.createInsecure(),
  });
}

function common({ url, timeoutMs, compression }: OtlpReceiver) {
  return {
    url,
    timeoutMillis: timeoutMs,
    compression: compression as Compression,
    concurrencyLimit,
  };
}

function tls({ tls: { ca, cert, key } }: OtlpReceiver) {
  return {
    keepAlive: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function octets(pem: string | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}
