/**
 * The index to ask for next, by Consul's rules for blocking queries; undefined for an answer at once. An index that goes
 * backwards (a restored or restarted Consul) would be waited for without end. One that is 0 or unreadable would not be
 * waited for at all, and 1 always can be.
 * @param header X-Consul-Index
 */
export function nextIndex(
  before: number | undefined,
  header: string | readonly string[] | undefined,
): number | undefined {
  const index = /^\d{1,15}$/.test(String(header)) ? Number(header) : 0;
  if (before !== undefined && index < before) return undefined;
  return Math.max(index, 1);
}
