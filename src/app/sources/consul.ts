import type { ConfigSource } from '../../config/config-source.ts';
import { createConsulSource } from '../../config/consul/consul-source.ts';
import type { ConsulSettings } from '../../settings/source-settings.ts';
import { currentSecret, currentTls, remoteOptions } from './remote-parts.ts';
import type { RemoteContext } from './source-context.ts';

/** Rules from Consul. Throws, with a sentence, when a file of its secrets can't be read. */
export function consulSource(settings: ConsulSettings, context: RemoteContext): ConfigSource {
  const { address, prefix, datacenter, waitMs } = settings;
  const token = currentSecret(settings.token, 'CONFIG_CONSUL_TOKEN_FILE', context);
  const tls = currentTls(settings.tls, 'CONFIG_CONSUL_TLS_', context);
  return createConsulSource({
    ...remoteOptions('consul', context),
    address: new URL(address),
    prefix,
    datacenter,
    waitMs,
    request: () => ({ token: token(), tls: tls() }),
    timeoutMs: context.remote.timeoutMs,
    clock: context.clock,
  });
}
