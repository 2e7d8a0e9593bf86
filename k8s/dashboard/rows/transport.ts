import { type Row, rateBy, replicas } from '../panel.ts';

export const transport: Row = {
  title: 'Connections and overload',
  panels: [
    {
      title: 'gRPC connections by replica',
      description: 'Open ones. A replica without any gets no requests.',
      kind: 'graph',
      unit: 'short',
      queries: [{ expression: `weir_grpc_connections{${replicas}}`, legend: '{{instance}}' }],
    },
    {
      title: 'gRPC connections opened',
      description: 'A client that opens one for each call pays for it many times over.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('instance', 'weir_grpc_connections_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Connections given up',
      description: 'For what their client did. Probes of a port make no-http2 and handshake-timeout.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('fault', 'weir_grpc_connection_faults_total'), legend: '{{fault}}' }],
    },
    {
      title: 'Calls ended by the transport',
      description:
        'refused: more calls at once than a connection may have. deadline: the time of the caller is over.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('fault', 'weir_grpc_call_faults_total'), legend: '{{fault}}' }],
    },
    {
      title: 'Overload',
      description: 'Requests that were turned away since too many wait for the store.',
      kind: 'graph',
      unit: 'reqps',
      queries: [
        {
          expression: rateBy('instance', 'weir_failures_total', `${replicas},code="RESOURCE_EXHAUSTED"`),
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'HTTP connections refused',
      description: 'Beyond HTTP_MAX_CONNECTIONS. Probes come over these listeners too.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: rateBy('listener', 'weir_http_connections_refused_total'), legend: '{{listener}}' },
      ],
    },
  ],
};
