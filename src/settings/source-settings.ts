import type { Secret, SecretSource } from './secret.ts';

/** Where rules come from. A later one in a list counts before an earlier one. */
export type SourceKind = 'file' | 'xds' | 'http' | 'etcd' | 'consul';

/** What the sources have in common that are asked for files elsewhere. */
export interface RemoteSettings {
  /** Of one answer, in ms. */
  readonly timeoutMs: number;
  /** The first time to the next try after a failure, and the longest, in ms. */
  readonly backoff: { readonly initialMs: number; readonly maxMs: number };
}

/** Files in PEM; undefined: the well-known authorities, and no certificate of one's own. */
export interface SourceTlsSettings {
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** Files with rules at URLs. */
export interface HttpSourceSettings {
  /** At least one, of http or https; their queries may be secrets. */
  readonly urls: readonly Secret[];
  readonly pollIntervalMs: number;
  /** Sent as `Authorization: Bearer ...`; undefined: none. */
  readonly token: SecretSource | undefined;
  readonly headers: readonly (readonly [name: string, value: Secret])[];
  readonly checksum:
    | { readonly kind: 'none' }
    | { readonly kind: 'header'; readonly name: string }
    | { readonly kind: 'suffix'; readonly suffix: string };
  readonly tls: SourceTlsSettings;
}

/** Keys of etcd v3 that are files. */
export interface EtcdSettings {
  /** `host:port` of members, at least one. */
  readonly endpoints: readonly string[];
  /** What the keys begin with; not empty. */
  readonly prefix: string;
  /** undefined: etcd asks nobody who they are. */
  readonly user: { readonly name: string; readonly password: SecretSource } | undefined;
  /** All members are spoken to with TLS, or none. */
  readonly isTls: boolean;
  readonly tls: SourceTlsSettings;
}

/** Keys of Consul that are files. */
export interface ConsulSettings {
  /** Of an agent or a server: a URL without a path. */
  readonly address: string;
  /** What the keys begin with; not empty, and not with a slash. */
  readonly prefix: string;
  /** undefined: that of the agent. */
  readonly datacenter: string | undefined;
  readonly waitMs: number;
  readonly token: SecretSource | undefined;
  readonly tls: SourceTlsSettings;
}
