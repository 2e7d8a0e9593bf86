import { choice, duration, integer } from '../value-type.ts';
import { honoured } from '../variable.ts';

const octets = (min: number, max: number) => integer({ min, max });
const count = integer({ min: 1, max: 1_000_000 });

/** The server side of HTTP/2: which one, and what one connection may cost. */
export const transportVariables = {
  GRPC_TRANSPORT: honoured(
    choice({ native: 'native', 'grpc-js': 'grpc-js' } as const),
    'native',
    "Who speaks HTTP/2: `native` is Weir's own, `grpc-js` the library.",
    { reason: 'The library costs ten times what a decision costs. It is there to turn to.' },
  ),
  GRPC_MAX_CONCURRENT_STREAMS: honoured(count, 1_024, 'Open calls of a connection; more are refused.', {
    reason: 'What Envoy opens at most.',
  }),
  GRPC_MAX_FRAME_SIZE: honoured(octets(16_384, 16_777_215), 16_384, 'Bytes of a frame.', {
    reason: 'The least that HTTP/2 allows; a connection holds one frame at most.',
  }),
  GRPC_MAX_HEADER_LIST_SIZE: honoured(
    octets(1_024, 1_048_576),
    16_384,
    'Bytes of the metadata of a call, with 32 for each field.',
    { reason: 'A call of Envoy has 700.' },
  ),
  GRPC_STREAM_WINDOW: honoured(
    octets(65_535, 2_147_483_647),
    1_048_576,
    'Bytes that a client may send ahead in one call.',
    { reason: 'A request is smaller by far; a large one does not wait often.' },
  ),
  GRPC_CONNECTION_WINDOW: honoured(
    octets(65_535, 2_147_483_647),
    5_242_880,
    'Bytes that a client may send ahead in all calls of a connection.',
    { reason: 'Bounds the memory that incomplete messages of one connection take; one of the largest fits.' },
  ),
  GRPC_WRITE_BUFFER: honoured(
    octets(65_536, 1_073_741_824),
    1_048_576,
    'Bytes for a client that does not read; then its connection is not read either.',
    { reason: 'Bounds the memory that unread answers of one connection take.' },
  ),
  GRPC_MAX_RESETS_PER_SECOND: honoured(
    count,
    200,
    'Calls that a connection may cancel within 5 ms of their begin, in a second; five times as many at once.',
    { reason: 'CVE-2023-44487. Envoy resets a thousand calls at once when a store is slow, but later.' },
  ),
  GRPC_MAX_STREAM_ERRORS_PER_SECOND: honoured(
    count,
    10,
    'Calls of a connection that are reset for a fault of the client, in a second; ten times as many at once.',
    { reason: 'CVE-2025-8671. Clients that keep to HTTP/2 have none.' },
  ),
  GRPC_MAX_SETTINGS_PER_MINUTE: honoured(count, 100, 'SETTINGS frames of a connection.', {
    reason: 'CVE-2019-9515. Clients send one or two.',
  }),
  GRPC_MAX_PINGS_PER_MINUTE: honoured(count, 500, 'PING frames of a connection, besides one for each call.', {
    reason: 'CVE-2019-9512. gRPC clients measure bandwidth with one PING per call.',
  }),
  GRPC_MAX_EMPTY_FRAMES_PER_MINUTE: honoured(count, 100, 'Frames of a connection that carry nothing.', {
    reason: 'CVE-2019-9518. Clients have no use for them.',
  }),
  GRPC_MIN_PING_INTERVAL: honoured(
    duration(),
    5_000,
    'Three PING frames closer than this, without a call between, end a connection; 0: never.',
    { reason: 'Reference: 5m. Keep-alive should cost less than calls; clients of gRPC then ask less often.' },
  ),
  GRPC_HANDSHAKE_TIMEOUT: honoured(
    duration({ positive: true }),
    10_000,
    "From the connection to the client's first SETTINGS.",
    { reason: 'Reference: 120s. Clients send them at once.' },
  ),
  GRPC_RECEIVE_TIMEOUT: honoured(
    duration({ positive: true }),
    10_000,
    'For a frame that has begun, and for a request.',
    { reason: 'A client that sends an octet now and then would hold memory for ever.' },
  ),
  GRPC_STALL_TIMEOUT: honoured(
    duration({ positive: true }),
    30_000,
    'After this time without progress, a client that takes no answers is given up.',
    { reason: 'Its answers would be held for ever.' },
  ),
  GRPC_MAX_CONNECTION_IDLE: honoured(
    duration(),
    600_000,
    'After this time without a call a connection gets GOAWAY; 0: never.',
    { reason: 'Reference: never. With the default of GRPC_MAX_CONNECTION_AGE, that comes first.' },
  ),
};
