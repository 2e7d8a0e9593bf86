import { type Checks, given } from './checks.ts';
import { headerNames } from './header-names.ts';
import { bareHost, parseListenAddress } from './listen-address.ts';
import type {
  DrainSettings,
  GrpcSettings,
  GrpcTlsSettings,
  HttpSettings,
  LogSettings,
  MetricsListener,
  MetricsSettings,
} from './settings.ts';
import { statsdSettings } from './statsd-settings.ts';
import { transportSettings } from './transport-settings.ts';
import { longestDurationMs } from './value-type.ts';

export function httpSettings(checks: Checks): HttpSettings {
  const { values } = checks;
  return {
    host: bareHost(values.HOST),
    port: values.PORT,
    limits: { maxBodyBytes: values.MAX_MESSAGE_SIZE, maxConnections: values.HTTP_MAX_CONNECTIONS },
    limitHeaders: headerNames(checks),
  };
}

export function logSettings({ values }: Checks): LogSettings {
  return { level: values.LOG_LEVEL, format: values.LOG_FORMAT };
}

export function grpcSettings(checks: Checks): GrpcSettings {
  const { values } = checks;
  const path = values.GRPC_UDS;
  if (path !== '') checks.unused(['GRPC_HOST', 'GRPC_PORT'], 'gRPC listens on the socket of GRPC_UDS');
  return {
    listen:
      path === ''
        ? { kind: 'tcp', host: bareHost(values.GRPC_HOST), port: values.GRPC_PORT }
        : { kind: 'unix', path },
    maxConnectionAgeMs: zeroForNever(values.GRPC_MAX_CONNECTION_AGE),
    maxConnectionAgeGraceMs: zeroForNever(values.GRPC_MAX_CONNECTION_AGE_GRACE),
    ...transportSettings(checks),
    tls: grpcTlsSettings(checks),
  };
}

/** Where 0 means never, the longest duration does, too. */
function zeroForNever(ms: number): number {
  return ms < longestDurationMs ? ms : 0;
}

function grpcTlsSettings(checks: Checks): GrpcTlsSettings | undefined {
  const { values } = checks;
  const clientCaFile = given(values.GRPC_CLIENT_TLS_CACERT);
  if (!values.GRPC_SERVER_USE_TLS) {
    // A deployment that believes itself to be protected should hear of it.
    checks.unused(
      ['GRPC_SERVER_TLS_CERT', 'GRPC_SERVER_TLS_KEY', 'GRPC_CLIENT_TLS_CACERT', 'GRPC_CLIENT_TLS_SAN'],
      'GRPC_SERVER_USE_TLS is not true, so that gRPC listens without TLS',
    );
    return undefined;
  }
  for (const name of ['GRPC_SERVER_TLS_CERT', 'GRPC_SERVER_TLS_KEY'] as const) {
    if (values[name] === '') checks.fail(name, 'must name a file, since GRPC_SERVER_USE_TLS is true.');
  }
  if (clientCaFile === undefined) {
    checks.unused(
      ['GRPC_CLIENT_TLS_SAN'],
      'clients show no certificate unless GRPC_CLIENT_TLS_CACERT is set',
    );
  }
  return {
    certFile: values.GRPC_SERVER_TLS_CERT,
    keyFile: values.GRPC_SERVER_TLS_KEY,
    clientCaFile,
    clientSan: clientCaFile === undefined ? undefined : given(values.GRPC_CLIENT_TLS_SAN),
  };
}

export function metricsSettings(checks: Checks): MetricsSettings {
  const { values } = checks;
  return {
    listener: metricsListener(checks),
    responseTimeUnit: values.PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS ? 'milliseconds' : 'seconds',
    maxSeries: values.METRICS_MAX_SERIES,
    maxValuesPerRule: values.DETAILED_METRIC_MAX_VALUES,
    statsd: statsdSettings(checks),
  };
}

function metricsListener(checks: Checks): MetricsListener | undefined {
  const { values } = checks;
  if (!values.USE_PROMETHEUS) {
    checks.unused(
      ['PROMETHEUS_ADDR', 'PROMETHEUS_PATH'],
      'USE_PROMETHEUS is not true; /metrics is on the HTTP port',
    );
    return undefined;
  }
  const address = parseListenAddress(values.PROMETHEUS_ADDR);
  if (!address.ok) checks.fail('PROMETHEUS_ADDR', `must be ${address.expected}.`);
  const path = values.PROMETHEUS_PATH;
  // Letters of a path that mean nothing to whoever reads it as a pattern.
  if (!/^\/[\w.~/-]*$/.test(path)) checks.fail('PROMETHEUS_PATH', 'must be a path such as /metrics.');
  return address.ok ? { ...address.value, path } : undefined;
}

export function drainSettings(checks: Checks): DrainSettings {
  const { DRAIN_DELAY: delayMs, DRAIN_DEADLINE: timeoutMs } = checks.values;
  if (delayMs >= timeoutMs) {
    const name = checks.isSet('DRAIN_DELAY') ? 'DRAIN_DELAY' : 'DRAIN_DEADLINE';
    checks.fail(name, 'does not fit: DRAIN_DELAY is a part of DRAIN_DEADLINE, so it must be shorter.');
  }
  return { delayMs, timeoutMs };
}
