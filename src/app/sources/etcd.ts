import type { ConfigSource } from '../../config/config-source.ts';
import { createEtcdSource } from '../../config/etcd/etcd-source.ts';
import type { EtcdSettings } from '../../settings/source-settings.ts';
import { currentSecret, currentTls, remoteOptions } from './remote-parts.ts';
import type { RemoteContext } from './source-context.ts';

/** Rules from etcd. Throws, with a sentence, when a file of its secrets can't be read. */
export function etcdSource(settings: EtcdSettings, context: RemoteContext): ConfigSource {
  const { endpoints, prefix, user, isTls } = settings;
  const password = currentSecret(user?.password, 'CONFIG_ETCD_PASSWORD_FILE', context);
  const tls = isTls ? currentTls(settings.tls, 'CONFIG_ETCD_TLS_', context) : () => undefined;
  return createEtcdSource({
    ...remoteOptions('etcd', context),
    endpoints,
    prefix,
    tls,
    user: () => user && { name: user.name, password: password() ?? '' },
    timeoutMs: context.remote.timeoutMs,
    clock: context.clock,
  });
}
