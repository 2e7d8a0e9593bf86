import { hidden } from './secret.ts';

/**
 * A REDIS_URL without what may be secret in it: everything before the last `@` (user and password, in whatever form and
 * however badly escaped) and everything after a `?` or `#` (ioredis reads `?password=` there). In a list of addresses of
 * which several carry a password, only the last address stays readable: hiding too much is the safe side.
 */
export function maskRedisUrl(url: string): string {
  const scheme = /^[a-z]+:\/\//i.exec(url)?.[0] ?? '';
  const rest = url.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  const address = rest.slice(at + 1).replace(/([?#]).*$/s, `$1${hidden}`);
  return at < 0 ? scheme + address : `${scheme}${hidden}@${address}`;
}
