import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { HeaderNames } from '../domain/limit-headers.ts';
import type { TransportLimits } from '../transport/transport-limits.ts';
import type { Secret, SecretSource } from './secret.ts';
import type {
  ConsulSettings,
  EtcdSettings,
  HttpSourceSettings,
  RemoteSettings,
  SourceKind,
} from './source-settings.ts';
import type { StatsdSettings, TracingSettings } from './telemetry-settings.ts';

/**
 * Everything that Weir is told from outside: read once at the start, complete, deeply frozen. Grouped by who needs it.
 * Durations are in ms, sizes in bytes. docs/settings.md says which variable sets what.
 */
export interface Settings {
  readonly http: HttpSettings;
  readonly grpc: GrpcSettings;
  readonly debug: DebugSettings;
  readonly metrics: MetricsSettings;
  /** undefined: no traces. */
  readonly tracing: TracingSettings | undefined;
  readonly log: LogSettings;
  readonly config: ConfigSettings;
  readonly store: StoreSettings;
  readonly limiter: LimiterSettings;
  readonly health: HealthSettings;
  readonly drain: DrainSettings;
  /**
   * For the log at the start: every variable that has a meaning and a value, by its name, in words that can be set again.
   * Secrets are masked.
   */
  readonly inForce: Readonly<Record<string, string>>;
}

/** `/json`, `/check`, health and `/metrics`. */
export interface HttpSettings {
  /** An address to bind, such as `0.0.0.0` or `::`; never in brackets. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Of each HTTP listener. */
  readonly limits: { readonly maxBodyBytes: number; readonly maxConnections: number };
  /** Of the answers of `/check`, which always have them. */
  readonly limitHeaders: HeaderNames;
}

export interface GrpcSettings {
  readonly listen: ListenAddress;
  /** 0: connections live for ever. */
  readonly maxConnectionAgeMs: number;
  /** Time to finish after GOAWAY; 0: without end. */
  readonly maxConnectionAgeGraceMs: number;
  readonly transport: 'native' | 'grpc-js';
  readonly limits: TransportLimits;
  readonly tls: GrpcTlsSettings | undefined;
}

export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

/** Files in PEM; they are read again when they change. */
export interface TlsFileSettings {
  readonly certFile: string;
  readonly keyFile: string;
  /** Given: every client must show a certificate that this authority signed. */
  readonly clientCaFile: string | undefined;
}

export interface GrpcTlsSettings extends TlsFileSettings {
  /** Given: that certificate must carry this DNS name. Only with `clientCaFile`. */
  readonly clientSan: string | undefined;
}

/** `/rlconfig`. */
export interface DebugSettings {
  readonly host: string;
  readonly port: number;
  /** Only this machine can reach it. */
  readonly isLoopback: boolean;
  /** What each request must bring; undefined: nothing. */
  readonly token: SecretSource | undefined;
  readonly tls: TlsFileSettings | undefined;
}

export interface MetricsSettings {
  /** A listener of its own for metrics, beside `/metrics` on the HTTP port. */
  readonly listener: MetricsListener | undefined;
  /** Unit of the response time histogram, whose name says seconds in both cases, as the reference's does. */
  readonly responseTimeUnit: 'seconds' | 'milliseconds';
  /** Label sets of rules, those with values of requests included. */
  readonly maxSeries: number;
  /** Values of requests that one rule shows in its labels (`detailed_metric`, `value_to_metric`). */
  readonly maxValuesPerRule: number;
  /** Where metrics are sent to; undefined: nowhere. */
  readonly statsd: StatsdSettings | undefined;
}

export interface MetricsListener {
  /** Empty: every address of the machine, IPv6 where there is one, as Go means `:9090`. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
}

/** Rules in a directory, and what is said of all rules: what commands that do not serve need. */
export interface RulesSettings {
  /** Whose symbolic link a deployment may swap as a whole. */
  readonly root: string;
  /** Below `root`: where the files are. */
  readonly directory: string;
  readonly ignoreDotFiles: boolean;
  readonly mergeDomains: boolean;
  readonly sensitive: SensitiveSettings;
}

/** Where rules come from. Each of `sources` has its settings. */
export interface ConfigSettings extends RulesSettings {
  /** At least one. A domain that several have is that of the later one. */
  readonly sources: readonly SourceKind[];
  readonly xds: XdsSettings | undefined;
  readonly http: HttpSourceSettings | undefined;
  readonly etcd: EtcdSettings | undefined;
  readonly consul: ConsulSettings | undefined;
  readonly remote: RemoteSettings;
  /** Where rules of sources other than files are kept for a restart; undefined: nowhere. */
  readonly snapshotDirectory: string | undefined;
}

/** A control plane that sends rules. */
export interface XdsSettings {
  /** `host:port`, or another target of gRPC. */
  readonly address: string;
  readonly nodeId: string;
  readonly nodeMetadata: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: Secret])[];
  readonly tls: XdsTlsSettings | undefined;
  readonly backoff: XdsBackoffSettings;
  readonly maxMessageBytes: number;
}

/** Files in PEM; undefined: the well-known authorities, and no certificate of one's own. */
export interface XdsTlsSettings {
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  /** Name of the server; undefined: that of its address. */
  readonly serverName: string | undefined;
}

export interface XdsBackoffSettings {
  readonly connectRetryMs: number;
  readonly initialMs: number;
  readonly maxMs: number;
  /** 0 to 1. */
  readonly jitter: number;
}

/** Values of callers that appear as keyed hashes only. */
export interface SensitiveSettings {
  /** Those of every domain. */
  readonly everywhere: boolean;
  /** Where the secret is; undefined: there is none, and domains with sensitive rules are refused. */
  readonly key: SecretSource | undefined;
}

export type StoreSettings = MemoryStoreSettings | RedisStoreSettings;

export interface MemoryStoreSettings {
  readonly kind: 'memory';
  /** Asked for by name. Else it is only the fallback for a missing REDIS_URL, and each replica counts alone unawares. */
  readonly explicit: boolean;
  readonly maxCounters: number;
}

export interface RedisStoreSettings {
  readonly kind: 'redis';
  readonly connection: RedisSettings;
  /** Where counters with windows of one second go, when they have a Redis of their own. */
  readonly perSecond: RedisSettings | undefined;
  readonly expirationJitterMaxSeconds: number;
}

/** One Redis: a server, a set watched by Sentinels, or a cluster. */
export interface RedisSettings {
  readonly type: 'single' | 'sentinel' | 'cluster';
  /** What an address is that can be read as either: a word without port and slash. `host:port` is tcp, a path unix. */
  readonly socketType: 'tcp' | 'unix';
  /** As written, and readable: `parseRedisUrl` finds no problem in it. */
  readonly url: Secret;
  /** `password` or `user:password`. These count before those in the URL. */
  readonly credentials: SecretSource | undefined;
  /** For the Sentinels themselves. */
  readonly sentinelCredentials: SecretSource | undefined;
  readonly tls: RedisTlsSettings;
  readonly connectTimeoutMs: number;
}

/** Files in PEM; undefined: the well-known authorities, and no certificate of one's own. */
export interface RedisTlsSettings {
  /** A `rediss://` URL is TLS whatever this says. */
  readonly enabled: boolean;
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly verifyHostname: boolean;
}

export interface LimiterSettings {
  /** Beginning of every counter's key. */
  readonly keyPrefix: string;
  /** At most this long waits a decision for the store. */
  readonly storeTimeoutMs: number;
  /** false: a request that is denied consumes nothing. */
  readonly countDenied: boolean;
  /** undefined: off. */
  readonly denyCache: { readonly maxBytes: number; readonly lookAgainMs: number } | undefined;
  /** A 32-bit float, as the reference's. */
  readonly nearLimitRatio: number;
  readonly shadowMode: boolean;
  readonly quotaMode: boolean;
  readonly dynamicMetadata: boolean;
  /** Names of the headers; undefined: none are given. */
  readonly responseHeaders: HeaderNames | undefined;
  /** Every limit that applied is listed in `RateLimit` and `RateLimit-Policy`. */
  readonly limitFields: boolean;
  /** Name of the header that warns before a limit is reached. */
  readonly warningHeader: string;
  /** undefined: none. */
  readonly denialBody: DenialBodyFormat | undefined;
  /** What callers get while counters can't be reached. */
  readonly failurePolicy: FailurePolicy;
  /** This process's part of each limit, by policy `local`: above 0, at most 1. */
  readonly localShare: number;
  /** Counters held by policy `local`. */
  readonly localMaxCounters: number;
  /** What is more is refused; entries are those of one descriptor. */
  readonly bounds: { readonly maxDescriptors: number; readonly maxEntries: number };
}

export type DenialBodyFormat =
  | { readonly kind: 'json' }
  /** Text with placeholders, all of them known: see `denialBodyPlaceholders`. */
  | { readonly kind: 'template'; readonly template: string; readonly contentType: string };

export interface HealthSettings {
  /** Ready only while the configuration in force has a domain. */
  readonly needsDomain: boolean;
  /** Ready before the first configuration. */
  readonly startsWithoutConfig: boolean;
  /** Ready only while the store has a connection. */
  readonly needsConnection: boolean;
  /** After this long, a store that never answered no longer holds back readiness. */
  readonly storeWaitMs: number;
}

/** What happens after SIGTERM. */
export interface DrainSettings {
  /** Not ready, and still serving. */
  readonly delayMs: number;
  /** From the signal, delay included, to the exit at the latest. */
  readonly timeoutMs: number;
}

/** Something about a variable that whoever set it should know. */
export interface SettingIssue {
  readonly variable: string;
  /** Sentences, beginning with the variable's name. Values of secrets are never in them. */
  readonly message: string;
}

export type SettingsResult =
  | { readonly settings: Settings; readonly warnings: readonly SettingIssue[] }
  /** All that is wrong, not only the first. */
  | { readonly errors: readonly SettingIssue[]; readonly warnings: readonly SettingIssue[] };
