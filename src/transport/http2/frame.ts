/** RFC 9113, section 6. */
export const frameType = Object.freeze({
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
} as const);

export const frameFlag = Object.freeze({
  ACK: 0x01,
  END_STREAM: 0x01,
  END_HEADERS: 0x04,
  PADDED: 0x08,
  PRIORITY: 0x20,
} as const);

/** RFC 9113, section 7. */
export const errorCode = Object.freeze({
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  SETTINGS_TIMEOUT: 4,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11,
} as const);

export type ErrorCode = (typeof errorCode)[keyof typeof errorCode];

/** RFC 9113, section 4.1: length, type, flags, stream. */
export const frameHeadBytes = 9;

/** The largest stream identifier, and the largest window: RFC 9113, 5.1.1 and 6.9.1. */
export const maxInt31 = 0x7fff_ffff;

/** What windows begin with: RFC 9113, 6.9.2. */
export const defaultWindowBytes = 65_535;
