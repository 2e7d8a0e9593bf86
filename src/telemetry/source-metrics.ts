import type { Registry } from 'prom-client';
import { registerFamily, type Sample, sampleOf } from './metric-family.ts';

/** What of a source of rules is counted. */
export interface SourceRecord {
  readonly kind:
    | 'connected'
    | 'disconnected'
    | 'accepted'
    | 'refused'
    | 'other-type'
    | 'delivery-failed'
    | 'restored'
    | 'live'
    | 'restore-failed'
    | 'keep-failed';
}

/** What one source has done. */
interface SourceNumbers {
  /** undefined until it was tried. */
  isConnected: boolean | undefined;
  connections: number;
  disconnects: number;
  /** Its rules are those that were kept on disk. undefined where nothing is kept. */
  isRestored: boolean | undefined;
  keepFailures: number;
}

/** Sources of rules that are reached over the network. */
export class SourceMetrics {
  /** Those of CONFIG_TYPE, so that there are few. */
  readonly #sources = new Map<string, SourceNumbers>();
  #acks = 0;
  #nacks = 0;

  constructor(registry: Registry) {
    registerFamily(registry, {
      name: 'weir_config_source_connected',
      help: '1 while a source of rules can be read: xDS, HTTP, etcd, Consul. Not there for files.',
      type: 'gauge',
      read: () => this.#samples(({ isConnected }) => isConnected && 1),
    });
    registerFamily(registry, {
      name: 'weir_config_source_connections_total',
      help: 'How often a source could be read for the first time, or again.',
      type: 'counter',
      read: () => this.#samples(({ connections }) => connections),
    });
    registerFamily(registry, {
      name: 'weir_config_source_disconnects_total',
      help: 'How often a source was lost, or could not be read when it was tried.',
      type: 'counter',
      read: () => this.#samples(({ disconnects }) => disconnects),
    });
    registerFamily(registry, {
      name: 'weir_config_source_restored',
      help: '1 while the rules of a source are those that were kept on disk, as it has not answered yet.',
      type: 'gauge',
      read: () => this.#samples(({ isRestored }) => isRestored && 1),
    });
    registerFamily(registry, {
      name: 'weir_config_source_keep_failures_total',
      help: 'How often the rules of a source could not be kept on disk, or not be used from there.',
      type: 'counter',
      read: () => this.#samples(({ keepFailures }) => keepFailures),
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

  add(source: string, { kind }: SourceRecord): void {
    const numbers = this.#of(source);
    if (kind === 'connected') {
      numbers.isConnected = true;
      numbers.connections += 1;
    } else if (kind === 'disconnected') {
      numbers.isConnected = false;
      numbers.disconnects += 1;
    } else if (kind === 'accepted') {
      this.#acks += 1;
    } else if (kind === 'refused') {
      this.#nacks += 1;
    } else if (kind === 'restored' || kind === 'live') {
      numbers.isRestored = kind === 'restored';
    } else if (kind === 'restore-failed' || kind === 'keep-failed') {
      numbers.keepFailures += 1;
    }
  }

  #of(source: string): SourceNumbers {
    const known = this.#sources.get(source);
    if (known !== undefined) return known;
    const numbers: SourceNumbers = {
      isConnected: undefined,
      connections: 0,
      disconnects: 0,
      isRestored: undefined,
      keepFailures: 0,
    };
    this.#sources.set(source, numbers);
    return numbers;
  }

  #samples(numberOf: (numbers: SourceNumbers) => number | false | undefined): Sample[] {
    return [...this.#sources].flatMap(([source, numbers]) => {
      const value = numberOf(numbers);
      return value === undefined ? [] : [{ labels: { source }, value: Number(value) }];
    });
  }
}
