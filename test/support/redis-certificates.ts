import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from './tools.ts';

/** Paths of PEM files, valid for a day. The server's certificate is for localhost and 127.0.0.1. */
export interface Certificates {
  readonly caFile: string;
  readonly serverCertFile: string;
  readonly serverKeyFile: string;
  readonly clientCertFile: string;
  readonly clientKeyFile: string;
  /** Contents of `caFile`. */
  readonly ca: string;
}

/** Makes an authority, and a certificate of it for a server and for a client, in the given directory. */
export function makeCertificates(directory: string): Certificates {
  const openssl = requireTool('openssl');
  const run = (...args: string[]) => execFileSync(openssl, args, { cwd: directory, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  run('req', '-x509', ...newKey, '-days', '1', '-subj', '/CN=test-ca', '-keyout', 'ca.key', '-out', 'ca.crt');
  writeFileSync(join(directory, 'san.cnf'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  for (const name of ['server', 'client']) {
    run('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
    run(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...authority,
      '-days',
      '1',
      '-extfile',
      'san.cnf',
      '-out',
      `${name}.crt`,
    );
  }
  const caFile = join(directory, 'ca.crt');
  return {
    caFile,
    serverCertFile: join(directory, 'server.crt'),
    serverKeyFile: join(directory, 'server.key'),
    clientCertFile: join(directory, 'client.crt'),
    clientKeyFile: join(directory, 'client.key'),
    ca: readFileSync(caFile, 'utf8'),
  };
}
