import { type Checks, given } from './checks.ts';
import { isLoopback } from './listen-address.ts';
import { createSecret, type Secret } from './secret.ts';
import type { RemoteSettings, SourceKind, SourceTlsSettings } from './source-settings.ts';
import { type VariableName, variableNames } from './variables.ts';

const remoteKinds: readonly SourceKind[] = ['http', 'etcd', 'consul'];

/** What sources have in common that are asked for files elsewhere. */
export function remoteSettings(checks: Checks): RemoteSettings {
  const { values } = checks;
  if (!values.CONFIG_TYPE.some((kind) => remoteKinds.includes(kind))) {
    checks.unused(beginningWith('CONFIG_REMOTE_'), 'CONFIG_TYPE names no source that it is about');
  }
  return {
    timeoutMs: values.CONFIG_REMOTE_TIMEOUT,
    backoff: {
      initialMs: values.CONFIG_REMOTE_BACKOFF_INITIAL_INTERVAL,
      maxMs: values.CONFIG_REMOTE_BACKOFF_MAX_INTERVAL,
    },
  };
}

/** Where rules of sources other than files are kept; undefined: nowhere. */
export function snapshotDirectory(checks: Checks): string | undefined {
  const { values, unused } = checks;
  if (values.CONFIG_TYPE.every((kind) => kind === 'file')) {
    unused(['CONFIG_SNAPSHOT_PATH'], 'files are on a disk already');
    return undefined;
  }
  return given(values.CONFIG_SNAPSHOT_PATH);
}

/** Whether CONFIG_TYPE has this source. Where not, whoever set something for it is told. */
export function isSource(checks: Checks, kind: SourceKind, word: string, prefix: string): boolean {
  if (checks.values.CONFIG_TYPE.includes(kind)) return true;
  checks.unused(beginningWith(prefix), `CONFIG_TYPE does not name ${word}`);
  return false;
}

export function beginningWith(...prefixes: readonly string[]): readonly VariableName[] {
  return variableNames.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

type TlsPrefix = 'CONFIG_HTTP_TLS_' | 'CONFIG_ETCD_TLS_' | 'CONFIG_CONSUL_TLS_';

/** The files of TLS with servers at these URLs. A certificate and its key belong together. */
export function sourceTls(checks: Checks, prefix: TlsPrefix, urls: readonly URL[]): SourceTlsSettings {
  const { values, fail, unused } = checks;
  if (urls.length > 0 && urls.every(({ protocol }) => protocol === 'http:')) {
    unused(beginningWith(prefix), 'the server is spoken to without TLS');
  }
  const certFile = given(values[`${prefix}CLIENT_CERT`]);
  const keyFile = given(values[`${prefix}CLIENT_KEY`]);
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const missing = certFile === undefined ? `${prefix}CLIENT_CERT` : `${prefix}CLIENT_KEY`;
    fail(missing as VariableName, 'must be set: a certificate and its key belong together.');
  }
  return { caFile: given(values[`${prefix}CACERT`]), certFile, keyFile };
}

/** A secret that others on the way can read. */
export function warnOfClearText(checks: Checks, name: VariableName, urls: readonly URL[]): void {
  const open = urls.find(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(bare(hostname)));
  if (open === undefined) return;
  checks.warn(name, `is about a secret that travels in clear text to ${open.host}: use https.`);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** What HTTP, and gRPC as metadata, take: names in lower case, values in printable ASCII ("gRPC over HTTP/2", Custom-Metadata). */
export function secretHeadersOf(
  { values, fail }: Checks,
  name: 'CONFIG_HTTP_HEADERS' | 'CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS',
): readonly (readonly [name: string, value: Secret])[] {
  const headers = [...values[name]];
  for (const [header, value] of headers) {
    if (!/^[\w.-]+$/.test(header)) {
      fail(name, 'must have header names such as authorization before each colon.');
    }
    if (!/^[ -~]*$/.test(value)) fail(name, 'must have values in printable ASCII.');
  }
  return headers.map(([header, value]) => [header.toLowerCase(), createSecret(value)]);
}
