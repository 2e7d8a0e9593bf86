import { messagePrefixBytes, type TransportLimits } from '../transport/transport-limits.ts';
import type { Checks } from './checks.ts';
import { transportVariables } from './variables/transport.ts';
import type { VariableName } from './variables.ts';

/** What one connection may cost. grpc-js keeps limits of its own, of which only the size of messages can be set. */
export function transportSettings(checks: Checks): {
  transport: 'native' | 'grpc-js';
  limits: TransportLimits;
} {
  const { values } = checks;
  if (values.GRPC_TRANSPORT === 'grpc-js') {
    const others = Object.keys(transportVariables).filter((name) => name !== 'GRPC_TRANSPORT');
    checks.unused(others as VariableName[], 'GRPC_TRANSPORT is grpc-js, which keeps limits of its own');
  } else if (values.MAX_MESSAGE_SIZE + messagePrefixBytes > values.GRPC_CONNECTION_WINDOW) {
    checks.warn(
      'MAX_MESSAGE_SIZE',
      'is more than GRPC_CONNECTION_WINDOW lets a client send ahead: larger messages are refused.',
    );
  }
  return {
    transport: values.GRPC_TRANSPORT,
    limits: {
      maxConcurrentStreams: values.GRPC_MAX_CONCURRENT_STREAMS,
      maxFrameBytes: values.GRPC_MAX_FRAME_SIZE,
      maxHeaderListBytes: values.GRPC_MAX_HEADER_LIST_SIZE,
      maxMessageBytes: values.MAX_MESSAGE_SIZE,
      streamWindowBytes: values.GRPC_STREAM_WINDOW,
      connectionWindowBytes: values.GRPC_CONNECTION_WINDOW,
      maxUnsentBytes: values.GRPC_WRITE_BUFFER,
      resetsPerSecond: values.GRPC_MAX_RESETS_PER_SECOND,
      streamErrorsPerSecond: values.GRPC_MAX_STREAM_ERRORS_PER_SECOND,
      settingsPerMinute: values.GRPC_MAX_SETTINGS_PER_MINUTE,
      pingsPerMinute: values.GRPC_MAX_PINGS_PER_MINUTE,
      emptyFramesPerMinute: values.GRPC_MAX_EMPTY_FRAMES_PER_MINUTE,
      minPingIntervalMs: values.GRPC_MIN_PING_INTERVAL,
      handshakeTimeoutMs: values.GRPC_HANDSHAKE_TIMEOUT,
      receiveTimeoutMs: values.GRPC_RECEIVE_TIMEOUT,
      stallTimeoutMs: values.GRPC_STALL_TIMEOUT,
      idleTimeoutMs: values.GRPC_MAX_CONNECTION_IDLE,
    },
  };
}
