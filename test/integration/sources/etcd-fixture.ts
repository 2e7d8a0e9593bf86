import { createEtcdSource, type EtcdSourceOptions } from '../../../src/config/etcd/etcd-source.ts';
import type { RemoteSourceEvent } from '../../../src/config/remote/remote-source.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { promptly } from './rules-files.ts';

/** A source of the keys below `/weir/`, and what it tells. */
export function etcdSource(endpoints: readonly string[], options: Partial<EtcdSourceOptions> = {}) {
  const events: RemoteSourceEvent[] = [];
  const source = createEtcdSource({
    endpoints,
    prefix: '/weir/',
    tls: () => undefined,
    user: () => undefined,
    timeoutMs: 5_000,
    clock: systemClock,
    retry: promptly,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { source, events };
}
