/**
 * A script with a time that the test sets, as KEYS; everything else is the script as it is. The times are to be years ahead
 * of the server's own, so that nothing expires by itself.
 */
export function withTimeFromTest(source: string): string {
  const call = "redis.call('TIME')";
  const parts = source.split(call);
  if (parts.length !== 2) throw new Error(`the script does not have ${call} once`);
  return parts.join('{KEYS[1], KEYS[2]}');
}
