/** Slots of a Redis Cluster. */
export const slotCount = 16_384;

const crcTable = Uint16Array.from({ length: 256 }, (_, octet) => {
  let crc = octet << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/**
 * The slot of a key, as the Redis Cluster specification says: CRC16 (XMODEM) of the hash tag, which is what stands
 * between the first `{` and the next `}`, or of the whole key when there is none or it is empty.
 * @param key ASCII
 */
export function clusterSlot(key: string): number {
  const open = key.indexOf('{');
  const close = open === -1 ? -1 : key.indexOf('}', open + 1);
  const tagged = close > open + 1;
  const end = tagged ? close : key.length;
  let crc = 0;
  for (let index = tagged ? open + 1 : 0; index < end; index += 1) {
    const entry = crcTable[((crc >> 8) ^ key.charCodeAt(index)) & 0xff] as number;
    crc = ((crc << 8) ^ entry) & 0xffff;
  }
  return crc % slotCount;
}
