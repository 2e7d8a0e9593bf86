import { showHidden } from '../secret.ts';
import { choice, flag, float64, integer, text } from '../value-type.ts';
import { honoured, honouredSecret, withoutEffect } from '../variable.ts';

const compression = choice({ none: 'none', gzip: 'gzip' } as const);

/** Addresses can hold credentials and tokens; where the spans go to is seen without them. */
function showEndpoint(value: string): string {
  if (!URL.canParse(value)) return showHidden(value);
  const { protocol, host, pathname } = new URL(value);
  return host === '' ? showHidden(value) : `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** Traces: the reference's own variables, and those of OpenTelemetry that say where spans go. */
export const tracingVariables = {
  TRACING_ENABLED: honoured(flag, false, 'OpenTelemetry traces: a span for each decision, sent by OTLP.'),
  TRACING_SERVICE_NAME: honoured(text, 'RateLimit', 'Traces: `service.name`.'),
  TRACING_SERVICE_NAMESPACE: honoured(text, '', 'Traces: `service.namespace`.'),
  TRACING_SERVICE_INSTANCE_ID: honoured(
    text,
    '',
    'Traces: `service.instance.id`; a random UUID unless given.',
  ),
  TRACING_EXPORTER_PROTOCOL: honoured(
    choice({ http: 'http', grpc: 'grpc' } as const),
    'http',
    'Traces: OTLP over HTTP, in protobuf, or over gRPC.',
  ),
  TRACING_SAMPLING_RATE: honoured(
    float64,
    1,
    'Traces: share that is kept of those that begin here, 0 to 1. Of others, their caller has decided.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: honouredSecret(
    '',
    'Traces: where to; `/v1/traces` is appended for HTTP. `http://localhost:4318`, or `:4317` for gRPC, unless given.',
    showEndpoint,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: honouredSecret('', 'The same, with nothing appended.', showEndpoint),
  OTEL_EXPORTER_OTLP_HEADERS: honouredSecret(
    '',
    'Traces: headers that are sent with them, as `name=value,name=value`, percent-encoded; never printed.',
    showHidden,
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: honouredSecret('', 'The same; these count first.', showHidden),
  OTEL_EXPORTER_OTLP_TIMEOUT: honoured(integer({ min: 1 }), 10_000, 'Traces: time of one sending, in ms.'),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: honoured(integer({ min: 1 }), 10_000, 'The same; this counts first.'),
  OTEL_EXPORTER_OTLP_COMPRESSION: honoured(compression, 'none', 'Traces: how they are packed.'),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: honoured(compression, 'none', 'The same; this counts first.'),
  OTEL_EXPORTER_OTLP_INSECURE: honoured(
    flag,
    false,
    'Traces: gRPC without TLS to an endpoint that does not begin with `http://` or `https://`.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_INSECURE: honoured(flag, false, 'The same; this counts first.'),
  OTEL_EXPORTER_OTLP_CERTIFICATE: honoured(text, '', 'Traces: file of the authority (PEM).'),
  OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: honoured(text, '', 'The same; this counts first.'),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: honoured(text, '', "Traces: file of Weir's certificate (PEM)."),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: honoured(text, '', 'The same; this counts first.'),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: honoured(text, '', 'Traces: file of its key (PEM).'),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: honoured(text, '', 'The same; this counts first.'),
};

/** The others of OpenTelemetry's exporter. */
export const tracingPatterns = {
  'OTEL_EXPORTER_OTLP_<NAME>': withoutEffect(
    text,
    '',
    'OpenTelemetry: what is not listed by name.',
    'only traces are sent by OTLP, and TRACING_EXPORTER_PROTOCOL says how',
  ),
};
