import type { Registry } from 'prom-client';
import { Labelled } from './labelled.ts';
import { registerFamily, type Sample, sampleOf } from './metric-family.ts';

/** What the gRPC transport tells of its connections. */
export type TransportRecord =
  | { readonly kind: 'connection-opened' }
  | { readonly kind: 'connection-closed' }
  | { readonly kind: 'connection-fault'; readonly fault: string }
  | { readonly kind: 'call-fault'; readonly fault: string };

/** More than there are kinds of fault. */
const maxFaults = 50;

type Counts = Labelled<{ count: number }>;

/** Connections of gRPC clients, and what the transport refused before any handler saw it. */
export class TransportMetrics {
  #opened = 0;
  #closed = 0;
  readonly #connectionFaults: Counts = new Labelled(maxFaults, () => ({ count: 0 }));
  readonly #callFaults: Counts = new Labelled(maxFaults, () => ({ count: 0 }));

  constructor(registry: Registry) {
    registerFamily(registry, {
      name: 'weir_grpc_connections',
      help: 'gRPC connections that are open.',
      type: 'gauge',
      read: () => sampleOf(this.#opened - this.#closed),
    });
    registerFamily(registry, {
      name: 'weir_grpc_connections_total',
      help: 'gRPC connections that were opened.',
      type: 'counter',
      read: () => sampleOf(this.#opened),
    });
    registerFamily(registry, {
      name: 'weir_grpc_connection_faults_total',
      help: 'gRPC connections that were given up for something the client did, by what it was.',
      type: 'counter',
      read: () => faultSamples(this.#connectionFaults),
    });
    registerFamily(registry, {
      name: 'weir_grpc_call_faults_total',
      help: 'gRPC calls that the transport ended by itself, by why; those that it never gave to a handler are in no other family.',
      type: 'counter',
      read: () => faultSamples(this.#callFaults),
    });
  }

  add(record: TransportRecord): void {
    if (record.kind === 'connection-opened') this.#opened += 1;
    else if (record.kind === 'connection-closed') this.#closed += 1;
    else if (record.kind === 'connection-fault') this.#connectionFaults.of(record.fault).count += 1;
    else this.#callFaults.of(record.fault).count += 1;
  }
}

function faultSamples(faults: Counts): Sample[] {
  return [...faults.entries()].map(([fault, { count }]) => ({ labels: { fault }, value: count }));
}
