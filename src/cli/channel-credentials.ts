import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { CallCredentials, type ChannelCredentials, credentials } from '@grpc/grpc-js';

/** What of TLS the command line says. Anything of it asks for TLS. */
export interface TlsOptions {
  readonly tls?: boolean;
  readonly serverName?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** @throws Error with a sentence when a file cannot be used */
export function channelCredentials(target: string, options: TlsOptions): ChannelCredentials {
  const { tls = false, serverName, ca, cert, key } = options;
  if (!tls && [serverName, ca, cert, key].every((one) => one === undefined))
    return credentials.createInsecure();
  if ((cert === undefined) !== (key === undefined)) throw new Error('--cert and --key go together');
  const context = secureContext(options);
  const expected = serverName ?? hostOf(target);
  return isIP(expected) === 0
    ? credentials.createFromSecureContext(context)
    : addressCredentials(context, expected);
}

/** Without `--ca`, the authorities that Node knows. */
function secureContext({ ca, cert, key }: TlsOptions): SecureContext {
  const material = {
    ...(ca !== undefined && { ca: read('--ca', ca) }),
    ...(cert !== undefined && { cert: read('--cert', cert) }),
    ...(key !== undefined && { key: read('--key', key) }),
  };
  try {
    return createSecureContext(material);
  } catch (error) {
    throw new Error(`the files of --ca, --cert and --key cannot be used: ${(error as Error).message}`);
  }
}

function read(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`${option}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Of `host:port`, `[::1]:port`, and the same after `dns:`, `ipv4:` or `ipv6:` (with or without an authority). */
export function hostOf(target: string): string {
  const address = target.replace(/^(?:dns|ipv4|ipv6):(?:\/\/[^/]*\/)?/, '');
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? (isIP(address) === 0 ? address.replace(/:\d+$/, '') : address);
}

/**
 * For a server whose certificate holds an IP address. grpc-js sends what it expects as SNI, which an address must not be
 * (RFC 6066, section 3) and which Node refuses, so this makes the connection itself.
 */
function addressCredentials(context: SecureContext, address: string): ChannelCredentials {
  const made = credentials.createFromSecureContext(context);
  made._createSecureConnector = (_target, _options, callCredentials = CallCredentials.createEmpty()) => ({
    connect: (socket) =>
      new Promise((resolve, reject) => {
        // `host` is what the certificate is compared with.
        const options = { socket, host: address, secureContext: context, ALPNProtocols: ['h2'] };
        const secured = connect(options, () => resolve({ socket: secured, secure: true }));
        secured.on('error', reject);
      }),
    waitForReady: async () => {},
    getCallCredentials: () => callCredentials,
    destroy() {},
  });
  return made;
}
