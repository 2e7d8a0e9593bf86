import { isIP } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import { CallCredentials, type ChannelCredentials, credentials } from '@grpc/grpc-js';

/** Of `host:port`, `[::1]:port`, and the same after `dns:`, `ipv4:` or `ipv6:` (with or without an authority). */
export function hostOf(target: string): string {
  const address = target.replace(/^(?:dns|ipv4|ipv6):(?:\/\/[^/]*\/)?/, '');
  const bracketed = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? (isIP(address) === 0 ? address.replace(/:\d+$/, '') : address);
}

/** TLS with a server whose certificate holds this name or address. A name goes into the channel's options, too. */
export function serverCredentials(context: SecureContext, expected: string): ChannelCredentials {
  return isIP(expected) === 0
    ? credentials.createFromSecureContext(context)
    : addressCredentials(context, expected);
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
