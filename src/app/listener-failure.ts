/** A listener's name for people, and what sets it. */
export interface ListenerName {
  readonly name: string;
  /** The variables that say where it listens. */
  readonly variables: readonly string[];
  /** Those that name the files it needs. */
  readonly files: readonly string[];
}

/** What the system says when an address cannot be listened on: `bind(2)`, `getaddrinfo(3)`. */
const reasons: Readonly<Record<string, (address: string) => string>> = {
  EADDRINUSE: (address) => `the address ${address} is taken`,
  EADDRNOTAVAIL: (address) => `this machine has no address ${address}`,
  // Node says the same of a unix socket whose directory is missing.
  EACCES: (address) =>
    address.startsWith('/')
      ? `${address} cannot be made: its directory is missing, or must not be written to`
      : `no permission to listen on ${address}`,
  ENOTFOUND: (host) => `the name ${host} is not known`,
  EAI_AGAIN: (host) => `the name ${host} cannot be looked up`,
};

interface SystemError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}

/** The error of a listener that does not open, as a sentence that says which it is and where it is set. */
export function listenerFailure({ name, variables, files }: ListenerName, cause: unknown): Error {
  const error = cause as SystemError;
  const address = addressOf(error);
  const reason = address === undefined ? undefined : reasons[error.code ?? '']?.(address);
  const setBy = reason === undefined ? [...variables, ...files] : variables;
  return new Error(`${name} listener (${setBy.join(', ')}): ${reason ?? error.message}`, { cause });
}

function addressOf({ address, hostname, port = -1 }: SystemError): string | undefined {
  const host = address ?? hostname;
  if (host === undefined || port < 0) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
