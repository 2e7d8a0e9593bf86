/** Why a connection was given up. The words are labels of a metric. */
export type ConnectionFault =
  | 'rapid-reset'
  | 'stream-errors'
  | 'settings'
  | 'pings'
  | 'idle-pings'
  | 'empty-frames'
  | 'priorities'
  | 'window-updates'
  | 'no-http2'
  | 'protocol'
  | 'flow-control'
  | 'frame-size'
  | 'compression'
  | 'header-block-size'
  | 'handshake-timeout'
  | 'slow-frame'
  | 'stalled';

/** Why a call was ended by the transport, before or instead of an answer of its handler. */
export type CallFault =
  // RST_STREAM
  | 'refused'
  | 'malformed'
  | 'header-list-size'
  | 'stream-closed'
  | 'stream-protocol'
  | 'stream-flow-control'
  | 'unsent'
  // an HTTP status
  | 'not-grpc'
  // a gRPC status
  | 'unknown-method'
  | 'bad-timeout'
  | 'bad-message'
  | 'message-size'
  | 'unknown-encoding'
  | 'window-exhausted'
  | 'slow-request'
  | 'deadline';

/** What a transport tells of itself, for metrics. */
export type TransportEvent =
  | { readonly kind: 'connection-opened' }
  | { readonly kind: 'connection-closed' }
  | { readonly kind: 'connection-fault'; readonly fault: ConnectionFault }
  | { readonly kind: 'call-fault'; readonly fault: CallFault };

/** Must not throw. */
export type TransportListener = (event: TransportEvent) => void;
