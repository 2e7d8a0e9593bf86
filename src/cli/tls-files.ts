import { readFileOption } from './read-file-option.ts';

/** Files of TLS that the command line names. */
export interface TlsFileOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Their contents. @throws Error with a sentence when one cannot be read, or goes with another that is not there */
export function readTlsFiles({ ca, cert, key }: TlsFileOptions): {
  ca?: Buffer;
  cert?: Buffer;
  key?: Buffer;
} {
  if ((cert === undefined) !== (key === undefined)) throw new Error('--cert and --key go together');
  return {
    ...(ca !== undefined && { ca: readFileOption('--ca', ca) }),
    ...(cert !== undefined && { cert: readFileOption('--cert', cert) }),
    ...(key !== undefined && { key: readFileOption('--key', key) }),
  };
}
