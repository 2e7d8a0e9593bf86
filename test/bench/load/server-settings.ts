const headerTableSize = 1;
const maxConcurrentStreams = 3;
const initialWindowSize = 4;

const settingLength = 6;

/** Envoy's later header blocks refer to a table of this size. */
const tableOctets = 4096;

/**
 * Reads the one setting of a server (RFC 9113, section 6.5) that this client follows.
 * @returns how many streams it allows, where it says so
 * @throws if with these settings the prepared calls would be wrong
 */
export function readAllowedStreams(payload: Buffer): number | undefined {
  let streams: number | undefined;
  for (let at = 0; at + settingLength <= payload.length; at += settingLength) {
    const name = payload.readUInt16BE(at);
    const value = payload.readUInt32BE(at + 2);
    if (name === maxConcurrentStreams) streams = value;
    if (name === headerTableSize && value < tableOctets) {
      throw new Error(`a header table of ${value} octets is too small for the prepared calls`);
    }
    if (name === initialWindowSize && value < 16_384) {
      throw new Error(`a stream window of ${value} octets may be too small for the prepared calls`);
    }
  }
  return streams;
}
