import { createSecureContext, type SecureContext } from 'node:tls';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { hostOf, serverCredentials } from '../grpc-client/server-credentials.ts';
import { readTlsFiles, type TlsFileOptions } from './tls-files.ts';

/** What of TLS the command line says. Anything of it asks for TLS. */
export interface TlsOptions extends TlsFileOptions {
  readonly tls?: boolean;
  readonly serverName?: string;
}

/** @throws Error with a sentence when a file cannot be used */
export function channelCredentials(target: string, options: TlsOptions): ChannelCredentials {
  const { tls = false, serverName, ca, cert, key } = options;
  if (!tls && [serverName, ca, cert, key].every((one) => one === undefined))
    return credentials.createInsecure();
  const context = secureContext(options);
  const expected = serverName ?? hostOf(target);
  return serverCredentials(context, expected);
}

/** Without `--ca`, the authorities that Node knows. */
function secureContext(options: TlsOptions): SecureContext {
  const material = readTlsFiles(options);
  try {
    return createSecureContext(material);
  } catch (error) {
    throw new Error(`the files of --ca, --cert and --key cannot be used: ${(error as Error).message}`);
  }
}
