import { type Checks, given } from './checks.ts';
import { parseOtlpHeaders } from './otlp-headers.ts';
import { createSecret } from './secret.ts';
import type { NamedFile, OtlpSettings, OtlpTlsSettings, TracingSettings } from './telemetry-settings.ts';
import { tracingVariables } from './variables/tracing.ts';
import type { VariableName } from './variables.ts';

/** What OpenTelemetry's variables end in: for all signals, or with `TRACES_` before it for traces, which counts first. */
type OtlpName =
  | 'ENDPOINT'
  | 'HEADERS'
  | 'TIMEOUT'
  | 'COMPRESSION'
  | 'INSECURE'
  | 'CERTIFICATE'
  | 'CLIENT_CERTIFICATE'
  | 'CLIENT_KEY';

const names = Object.keys(tracingVariables) as (keyof typeof tracingVariables)[];

/** Traces, and where they go; undefined: none. */
export function tracingSettings(checks: Checks): TracingSettings | undefined {
  const { values } = checks;
  if (!values.TRACING_ENABLED) {
    const others = names.filter((name) => name !== 'TRACING_ENABLED');
    checks.unused(others, 'TRACING_ENABLED is not true');
    return undefined;
  }
  return {
    serviceName: values.TRACING_SERVICE_NAME,
    serviceNamespace: given(values.TRACING_SERVICE_NAMESPACE),
    serviceInstanceId: given(values.TRACING_SERVICE_INSTANCE_ID),
    // As OpenTelemetry's sampler of the reference takes what is outside.
    samplingRatio: Math.min(1, Math.max(0, values.TRACING_SAMPLING_RATE)),
    exporter: otlpSettings(checks),
  };
}

function otlpSettings(checks: Checks): OtlpSettings {
  const { values } = checks;
  const protocol = values.TRACING_EXPORTER_PROTOCOL;
  if (protocol === 'http') {
    const insecure = ['OTEL_EXPORTER_OTLP_INSECURE', 'OTEL_EXPORTER_OTLP_TRACES_INSECURE'] as const;
    checks.unused(insecure, 'it is about gRPC; for HTTP the endpoint says whether it is TLS');
  }
  return {
    protocol,
    url: createSecret(protocol === 'http' ? httpUrl(checks) : grpcUrl(checks)),
    headers: headers(checks),
    timeoutMs: values[counting(checks, 'TIMEOUT')],
    compression: values[counting(checks, 'COMPRESSION')],
    tls: tlsFiles(checks),
  };
}

/** Which of the two variables counts. */
function counting<N extends OtlpName>(
  checks: Checks,
  name: N,
): `OTEL_EXPORTER_OTLP_${N}` | `OTEL_EXPORTER_OTLP_TRACES_${N}` {
  const forTraces = `OTEL_EXPORTER_OTLP_TRACES_${name}` as const;
  return checks.isSet(forTraces as VariableName) ? forTraces : `OTEL_EXPORTER_OTLP_${name}`;
}

/** "OTLP Exporter Configuration", Endpoint URLs for OTLP/HTTP: one for all signals is what their paths are appended to. */
function httpUrl(checks: Checks): string {
  const name = counting(checks, 'ENDPOINT');
  const text = checks.values[name];
  if (text === '') return 'http://localhost:4318/v1/traces';
  checkUrl(checks, name, text);
  return name === 'OTEL_EXPORTER_OTLP_ENDPOINT' ? `${text.replace(/\/$/, '')}/v1/traces` : text;
}

/** The same, for gRPC: a scheme says whether it is TLS; where there is none, INSECURE does. */
function grpcUrl(checks: Checks): string {
  const name = counting(checks, 'ENDPOINT');
  const text = checks.values[name];
  if (text === '') return 'http://localhost:4317';
  const scheme = checks.values[counting(checks, 'INSECURE')] ? 'http' : 'https';
  const url = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`;
  checkUrl(checks, name, url);
  return url;
}

function checkUrl(checks: Checks, name: VariableName, text: string): void {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isUrl) checks.fail(name, 'must be a URL such as http://collector:4318.');
}

function headers(checks: Checks): OtlpSettings['headers'] {
  const found = new Map<string, string>();
  for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'] as const) {
    const result = parseOtlpHeaders(checks.values[name]);
    if (!result.ok) checks.fail(name, `must be ${result.expected}.`);
    else for (const [header, value] of result.value) found.set(header, value);
  }
  return [...found].map(([name, value]) => ({ name, value: createSecret(value) }));
}

function tlsFiles(checks: Checks): OtlpTlsSettings {
  const fileOf = (name: 'CERTIFICATE' | 'CLIENT_CERTIFICATE' | 'CLIENT_KEY'): NamedFile | undefined => {
    const variable = counting(checks, name);
    const file = checks.values[variable];
    return file === '' ? undefined : { variable, file };
  };
  const files = {
    ca: fileOf('CERTIFICATE'),
    cert: fileOf('CLIENT_CERTIFICATE'),
    key: fileOf('CLIENT_KEY'),
  };
  if ((files.cert === undefined) !== (files.key === undefined)) {
    const missing = files.cert === undefined ? 'CLIENT_CERTIFICATE' : 'CLIENT_KEY';
    checks.fail(counting(checks, missing), 'must be set: a certificate and its key belong together.');
  }
  return files;
}
