import { type Checks, given } from './checks.ts';
import { bareHost, isLoopback } from './listen-address.ts';
import { secretSource } from './secret-source.ts';
import type { DebugSettings, TlsFileSettings } from './settings.ts';

/** The debug listener, and who may read it. */
export function debugSettings(checks: Checks): DebugSettings {
  const host = bareHost(checks.values.DEBUG_HOST);
  const settings = {
    host,
    port: checks.values.DEBUG_PORT,
    isLoopback: isLoopback(host),
    token: secretSource(checks, 'DEBUG_TOKEN'),
    tls: debugTls(checks),
  };
  if (!settings.isLoopback) warnOfOpenListener(checks, settings);
  return settings;
}

/** Whoever sets a part of it believes the listener to be protected, so that the rest must be there. */
function debugTls(checks: Checks): TlsFileSettings | undefined {
  const {
    DEBUG_TLS_CERT: certFile,
    DEBUG_TLS_KEY: keyFile,
    DEBUG_TLS_CLIENT_CACERT: clientCaFile,
  } = checks.values;
  if (certFile === '' && keyFile === '' && clientCaFile === '') return undefined;
  if (certFile === '') {
    checks.fail(
      'DEBUG_TLS_CERT',
      'must name a file: the other DEBUG_TLS_ variables mean nothing without it.',
    );
  }
  if (keyFile === '')
    checks.fail('DEBUG_TLS_KEY', 'must name a file: a certificate is of no use without it.');
  return { certFile, keyFile, clientCaFile: given(clientCaFile) };
}

/** The reference listens on every address, and its deployments may count on that, so that this is no error. */
function warnOfOpenListener({ values, warn }: Checks, { token, tls }: DebugSettings): void {
  const isClientAsked = tls?.clientCaFile !== undefined;
  if (token === undefined && !isClientAsked) {
    warn(
      'DEBUG_HOST',
      `is ${values.DEBUG_HOST}: whoever reaches this address reads all rules on the debug listener, and nobody is asked who they are. Set DEBUG_TOKEN_FILE (or DEBUG_TOKEN), or DEBUG_TLS_CERT, DEBUG_TLS_KEY and DEBUG_TLS_CLIENT_CACERT, or leave DEBUG_HOST at 127.0.0.1.`,
    );
  }
  if (token !== undefined && tls === undefined) {
    warn(
      token.kind === 'file' ? 'DEBUG_TOKEN_FILE' : 'DEBUG_TOKEN',
      `is about a token that travels in clear text, since DEBUG_HOST is ${values.DEBUG_HOST}: set DEBUG_TLS_CERT and DEBUG_TLS_KEY.`,
    );
  }
}
