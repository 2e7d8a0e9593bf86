/** HTTP/2 frames for tests, made and read without the code under test. */
export const types = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

export type FrameName = keyof typeof types;

export const flags = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;

/** By their numbers: RFC 9113, section 7. */
export const errorCodes = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
] as const;

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Frame {
  /** Its name, or `type N`. */
  readonly type: string;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(
  type: FrameName | number,
  flagBits: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = typeof type === 'number' ? type : types[type];
  head[4] = flagBits;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** @param pairs identifier and value of each setting */
export function settings(...pairs: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(6 * pairs.length);
  pairs.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  });
  return frame('SETTINGS', 0, 0, payload);
}

export const settingsAck = frame('SETTINGS', flags.ACK, 0);

export function windowUpdate(stream: number, increment: number): Buffer {
  return frame('WINDOW_UPDATE', 0, stream, uint32(increment));
}

export function reset(stream: number, code = 8): Buffer {
  return frame('RST_STREAM', 0, stream, uint32(code));
}

export function ping(payload = '12345678', flagBits = 0): Buffer {
  return frame('PING', flagBits, 0, Buffer.from(payload, 'latin1'));
}

export function goaway(lastStream = 0, code = 0, debug = ''): Buffer {
  return frame('GOAWAY', 0, 0, Buffer.concat([uint32(lastStream), uint32(code), Buffer.from(debug)]));
}

/** A header block of literals without indexing, names and values as they are: RFC 7541, 6.2.2. */
export function block(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string) => {
    const octets = Buffer.from(value, 'latin1');
    if (octets.length < 127) return Buffer.concat([Buffer.of(octets.length), octets]);
    const length = [127];
    let rest = octets.length - 127;
    for (; rest >= 128; rest >>>= 7) length.push((rest & 127) | 128);
    return Buffer.concat([Buffer.from([...length, rest]), octets]);
  };
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

/** The header fields of a gRPC call. */
export function callFields(
  path: string,
  more: readonly (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', path],
    [':authority', 'test'],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ...more,
  ];
}

/** A gRPC message with its prefix. */
export function grpcMessage(message: Uint8Array, compressed = 0): Buffer {
  return Buffer.concat([Buffer.of(compressed), uint32(message.length), message]);
}

export function uint32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}

/** All whole frames of some octets, and how many octets they take. */
export function readFrames(octets: Buffer): { readonly frames: Frame[]; readonly length: number } {
  const frames: Frame[] = [];
  let at = 0;
  while (octets.length - at >= 9) {
    const end = at + 9 + octets.readUIntBE(at, 3);
    if (end > octets.length) break;
    const number = octets[at + 3] as number;
    const name = Object.entries(types).find(([, value]) => value === number)?.[0] ?? `type ${number}`;
    frames.push({
      type: name,
      flags: octets[at + 4] as number,
      stream: octets.readUInt32BE(at + 5) & 0x7fff_ffff,
      payload: octets.subarray(at + 9, end),
    });
    at = end;
  }
  return { frames, length: at };
}
