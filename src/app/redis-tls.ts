import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { RedisSettings } from '../settings/settings.ts';
import type { RedisTls } from '../store/redis/redis-connection.ts';
import { readNamedFile } from './read-named-file.ts';

/**
 * Reads the files of TLS. Checked here, where a fault has a file and a variable; a client would only say that it cannot
 * connect. What has not changed is not checked again.
 */
export function readTls({ tls }: RedisSettings, last: RedisTls | undefined): RedisTls {
  const ca = readPem('REDIS_TLS_CACERT', tls.caFile);
  const cert = readPem('REDIS_TLS_CLIENT_CERT', tls.certFile);
  const key = readPem('REDIS_TLS_CLIENT_KEY', tls.keyFile);
  if (last !== undefined && last.ca === ca && last.cert === cert && last.key === key) return last;
  if (ca !== undefined) checkCertificate('REDIS_TLS_CACERT', tls.caFile, ca);
  if (cert !== undefined) checkCertificate('REDIS_TLS_CLIENT_CERT', tls.certFile, cert);
  if (cert !== undefined && key !== undefined) checkKey(tls.keyFile, cert, key);
  return { ca, cert, key, skipHostnameVerification: !tls.verifyHostname };
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

function checkKey(file: string | undefined, cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new Error(`REDIS_TLS_CLIENT_KEY: ${file} is no key for the certificate in REDIS_TLS_CLIENT_CERT`);
  }
}
