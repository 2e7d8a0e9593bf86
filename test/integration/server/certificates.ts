import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from '../../support/tools.ts';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate authority in a folder. */
export interface Authority {
  /** Its certificate. */
  readonly file: string;
  /**
   * Makes `<name>.crt` and `<name>.key`, signed by it, with these subject alternative names (`DNS:a.test,IP:127.0.0.1`);
   * names in a list may have commas, and an empty list makes a certificate without any. The common name is always
   * `localhost`.
   */
  issue(name: string, subjectAltName: string | readonly string[]): CertificatePair;
}

export function createAuthority(folder: string): Authority {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args: string[]): void => {
    execFileSync(requireTool('openssl'), args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  };
  const validity = ['-days', '30'];
  openssl(
    'req',
    '-x509',
    ...newKey,
    ...validity,
    '-subj',
    '/CN=test ca',
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
  );
  return {
    file: join(folder, 'ca.crt'),
    issue(name, subjectAltName) {
      const [key, request, extension, cert] = ['key', 'csr', 'ext', 'crt'].map((end) => `${name}.${end}`) as [
        string,
        string,
        string,
        string,
      ];
      openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', key, '-out', request);
      writeFileSync(join(folder, extension), extensionsOf(subjectAltName));
      const signer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', ...validity];
      openssl('x509', '-req', '-in', request, ...signer, '-extfile', extension, '-out', cert);
      return { certFile: join(folder, cert), keyFile: join(folder, key) };
    },
  };
}

/** In the words of openssl: names with commas need a section of their own. */
function extensionsOf(names: string | readonly string[]): string {
  if (typeof names === 'string') return `subjectAltName=${names}\n`;
  if (names.length === 0) return 'basicConstraints=CA:FALSE\n';
  const lines = names.map((name, index) => name.replace(':', `.${index}=`));
  return ['subjectAltName=@names', '[names]', ...lines, ''].join('\n');
}
