import type { Secret } from './secret.ts';

/** A statsd server or a DogStatsD agent. */
export interface StatsdSettings {
  /** How `tags` are written. */
  readonly flavour: 'statsd' | 'dogstatsd';
  readonly protocol: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
  readonly flushIntervalMs: number;
  readonly tags: readonly (readonly [key: string, value: string])[];
}

/** Spans, and where they go. */
export interface TracingSettings {
  readonly serviceName: string;
  readonly serviceNamespace: string | undefined;
  /** undefined: to be chosen at random. */
  readonly serviceInstanceId: string | undefined;
  /** Of traces that begin here, 0 to 1. */
  readonly samplingRatio: number;
  readonly exporter: OtlpSettings;
}

/** A receiver of OTLP. */
export interface OtlpSettings {
  readonly protocol: 'http' | 'grpc';
  /** With `http:` or `https:`; for HTTP with the whole path. It may hold credentials. */
  readonly url: Secret;
  readonly headers: readonly { readonly name: string; readonly value: Secret }[];
  readonly timeoutMs: number;
  readonly compression: 'none' | 'gzip';
  readonly tls: OtlpTlsSettings;
}

/** Files in PEM, by the variable that names each; undefined: the well-known authorities, and no certificate of one's own. */
export interface OtlpTlsSettings {
  readonly ca: NamedFile | undefined;
  readonly cert: NamedFile | undefined;
  readonly key: NamedFile | undefined;
}

export interface NamedFile {
  readonly variable: string;
  readonly file: string;
}
