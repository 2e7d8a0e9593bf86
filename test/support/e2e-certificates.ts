import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from './tools.ts';

/**
 * Makes a certificate authority and certificates for `server.e2e.test` and `client.e2e.test` in a folder: `ca.crt`,
 * `server.crt`, `server.key`, `client.crt`, `client.key`, as the bootstrap for TLS names them.
 */
export function makeE2eCertificates(folder: string): void {
  const openssl = (...args: string[]) =>
    execFileSync(requireTool('openssl'), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-days',
    '30',
    '-subj',
    '/CN=e2e ca',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
  );
  const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30'];
  for (const name of ['server', 'client']) {
    openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=DNS:${name}.e2e.test\n`);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...authority,
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.crt`,
    );
  }
}
