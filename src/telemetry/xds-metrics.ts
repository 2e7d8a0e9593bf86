import type { Registry } from 'prom-client';
import { registerFamily, sampleOf } from './metric-family.ts';

/** What of a control plane is counted. */
export interface XdsRecord {
  readonly kind: 'connected' | 'disconnected' | 'accepted' | 'refused' | 'other-type' | 'delivery-failed';
}

/** The stream from a control plane. */
export class XdsMetrics {
  /** undefined until one was tried: rules may come from files. */
  #isConnected: boolean | undefined;
  #connections = 0;
  #disconnects = 0;
  #acks = 0;
  #nacks = 0;

  constructor(registry: Registry) {
    registerFamily(registry, {
      name: 'weir_config_source_connected',
      help: '1 while there is a connection to the xDS server. Not there where rules come from files.',
      type: 'gauge',
      read: () => (this.#isConnected === undefined ? [] : sampleOf(this.#isConnected ? 1 : 0)),
    });
    registerFamily(registry, {
      name: 'weir_config_source_connections_total',
      help: 'Connections to the xDS server that were made.',
      type: 'counter',
      read: () => sampleOf(this.#connections),
    });
    registerFamily(registry, {
      name: 'weir_config_source_disconnects_total',
      help: 'Streams of the xDS server that ended, and tries to reach it that failed.',
      type: 'counter',
      read: () => sampleOf(this.#disconnects),
    });
    registerFamily(registry, {
      name: 'weir_config_source_acks_total',
      help: 'Responses of the xDS server that were acknowledged.',
      type: 'counter',
      read: () => sampleOf(this.#acks),
    });
    registerFamily(registry, {
      name: 'weir_config_source_nacks_total',
      help: 'Responses of the xDS server that were refused.',
      type: 'counter',
      read: () => sampleOf(this.#nacks),
    });
  }

  add({ kind }: XdsRecord): void {
    if (kind === 'connected') {
      this.#isConnected = true;
      this.#connections += 1;
    } else if (kind === 'disconnected') {
      this.#isConnected = false;
      this.#disconnects += 1;
    } else if (kind === 'accepted') {
      this.#acks += 1;
    } else if (kind === 'refused') {
      this.#nacks += 1;
    }
  }
}
