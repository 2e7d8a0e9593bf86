import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { readNamedFile } from './read-named-file.ts';

/** Where the files of TLS are, for a client; undefined: the well-known authorities, and no certificate of one's own. */
export interface ClientTlsFiles {
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** The variables that name them, for messages. */
export interface ClientTlsVariables {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** In PEM. */
export interface ClientTls {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/**
 * Reads the files of TLS. Checked here, where a fault has a file and a variable; a client would only say that it cannot
 * connect. What has not changed is not checked again.
 * @param last what was read before, and is returned again where nothing has changed
 */
export function readClientTls<T extends ClientTls>(
  files: ClientTlsFiles,
  variables: ClientTlsVariables,
  last: T | undefined,
): ClientTls | T {
  const ca = readPem(variables.ca, files.caFile);
  const cert = readPem(variables.cert, files.certFile);
  const key = readPem(variables.key, files.keyFile);
  if (last !== undefined && last.ca === ca && last.cert === cert && last.key === key) return last;
  if (ca !== undefined) checkCertificate(variables.ca, files.caFile, ca);
  if (cert !== undefined) checkCertificate(variables.cert, files.certFile, cert);
  if (cert !== undefined && key !== undefined) checkKey(files, variables, { cert, key });
  return { ca, cert, key };
}

function readPem(variable: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : readNamedFile(variable, file);
}

function checkCertificate(variable: string, file: string | undefined, pem: string): void {
  try {
    new X509Certificate(pem);
  } catch {
    throw new Error(`${variable}: ${file} holds no certificate in PEM`);
  }
}

function checkKey(
  { keyFile }: ClientTlsFiles,
  variables: ClientTlsVariables,
  pair: { readonly cert: string; readonly key: string },
): void {
  try {
    createSecureContext(pair);
  } catch {
    throw new Error(`${variables.key}: ${keyFile} is no key for the certificate in ${variables.cert}`);
  }
}
