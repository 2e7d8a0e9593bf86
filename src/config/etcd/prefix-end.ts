/** The first key after all that begin with this one, as etcd's ranges end before it: the last octet that can be is one more. */
export function endOfPrefix(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  // No key is greater than all octets 0xff: etcd writes "to the end" as one octet 0.
  if (length === 0) return new Uint8Array(1);
  // A copy also of a Buffer, whose `slice` is none.
  const end = Uint8Array.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}
