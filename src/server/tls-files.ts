import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../log.ts';

/** PEM files of a TLS server. */
export interface TlsFiles {
  /** The server's certificate, followed by the intermediate ones. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Certificates that sign clients' certificates; where given, a client must show one. */
  readonly clientCaFile: string | undefined;
}

/** The content of the files. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer | undefined;
}

/** Reads and checks the files. Rejects with a sentence that names the file or the pair that is wrong. */
export async function readTlsFiles(files: TlsFiles): Promise<TlsMaterial> {
  const [cert, key, ca] = await Promise.all([
    readFile(files.certFile),
    readFile(files.keyFile),
    files.clientCaFile === undefined ? undefined : readFile(files.clientCaFile),
  ]);
  if (ca !== undefined) checkCertificate(ca, files.clientCaFile);
  checkCertificate(cert, files.certFile);
  try {
    createSecureContext({ cert, key });
  } catch (err) {
    throw new Error(`${files.keyFile} is no key for the certificate in ${files.certFile}: ${reasonOf(err)}`);
  }
  return { cert, key, ca };
}

function checkCertificate(pem: Buffer, file: string | undefined): void {
  try {
    new X509Certificate(pem);
  } catch (err) {
    throw new Error(`${file} holds no certificate: ${reasonOf(err)}`);
  }
}

export interface TlsWatchOptions {
  readonly current: TlsMaterial;
  readonly intervalMs: number;
  readonly log: Logger;
  readonly onChange: (material: TlsMaterial) => void;
}

/**
 * Reads the files again and again, and tells when their content has changed. Kubernetes swaps a symbolic link, cert-manager
 * writes in place, and neither is seen by watching one file; comparing content sees both, and a pair that is caught half
 * written is simply read again. A pair that is bad twice in a row is logged, once; it changes nothing.
 * @returns how to stop
 */
export function watchTlsFiles(files: TlsFiles, options: TlsWatchOptions): () => void {
  const { log, onChange } = options;
  let current = options.current;
  let complaint = '';
  let logged = '';
  let isReading = false;

  async function look(): Promise<void> {
    try {
      const found = await readTlsFiles(files);
      complaint = '';
      logged = '';
      if (isSame(found, current)) return;
      onChange(found);
      current = found;
      log.info({ certFile: files.certFile }, 'certificates were read again');
    } catch (err) {
      const reason = reasonOf(err);
      if (reason === complaint && reason !== logged) {
        log.error({ reason }, 'certificates can not be used, those before stay in use');
        logged = reason;
      }
      complaint = reason;
    }
  }

  const timer = setInterval(async () => {
    if (isReading) return;
    isReading = true;
    await look();
    isReading = false;
  }, options.intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function isSame(a: TlsMaterial, b: TlsMaterial): boolean {
  return a.cert.equals(b.cert) && a.key.equals(b.key) && (a.ca ?? a.cert).equals(b.ca ?? b.cert);
}

function reasonOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
