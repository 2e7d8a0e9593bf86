import type { TLSSocket } from 'node:tls';
import { comparableName } from '../domain/caller.ts';

export const noNames: readonly string[] = Object.freeze([]);

/** The names that the client of a connection has proven to have. Its handshake must be over. */
export function provenNamesOf(socket: TLSSocket): readonly string[] {
  return socket.authorized ? namesIn(socket.getPeerX509Certificate()?.subjectAltName) : noNames;
}

/**
 * One of the names, as Node writes them: its kind, and the name as it is, or as a JSON string where it has a comma, a
 * quote or anything else in it that would make two names of one (CVE-2021-44532).
 */
const entry =
  /([A-Za-z0-9 ]+):(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|([^",\\]*))(?:, |$)/uy;

/** RFC 5280, section 4.2.1.6: both are ASCII, and a URI has a scheme. So no DNS name can pass for a URI, nor a URI for one. */
const dnsName = /^[!-9;-~]+$/;
const uri = /^[a-z][a-z0-9+.-]*:[!-~]+$/i;

/**
 * The DNS names and URIs of a certificate, as they are compared, from the text that Node makes of its subjectAltName. No
 * other field counts, the common name least of all. A text that is not of this form has no names.
 */
export function namesIn(subjectAltName: string | undefined): readonly string[] {
  if (subjectAltName === undefined) return noNames;
  const names: string[] = [];
  let at = 0;
  while (at < subjectAltName.length) {
    entry.lastIndex = at;
    const [all, kind, quoted, plain = ''] = entry.exec(subjectAltName) ?? [];
    if (all === undefined) return noNames;
    const name: string = quoted === undefined ? plain : JSON.parse(quoted);
    if (kind === 'URI' ? uri.test(name) : kind === 'DNS' && dnsName.test(name)) {
      names.push(comparableName(name));
    }
    at += all.length;
  }
  return names;
}

/** Whether the client's certificate holds a DNS name, or a wildcard that covers it. */
export function holdsDnsName(socket: TLSSocket, name: string): boolean {
  const certificate = socket.getPeerX509Certificate();
  return certificate?.checkHost(name, { subject: 'never', partialWildcards: false }) !== undefined;
}
