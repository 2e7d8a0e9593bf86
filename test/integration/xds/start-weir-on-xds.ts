import { onTestFinished } from 'vitest';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';

/** The settings that have Weir take its rules from a control plane. It tries again at once. */
export function xdsSettings(address: string): Record<string, string> {
  return {
    BACKEND_TYPE: 'memory',
    CONFIG_TYPE: 'GRPC_XDS_SOTW',
    CONFIG_GRPC_XDS_SERVER_URL: address,
    CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL: '50ms',
    XDS_CLIENT_BACKOFF_INITIAL_INTERVAL: '50ms',
    XDS_CLIENT_BACKOFF_MAX_INTERVAL: '200ms',
  };
}

export interface XdsWeirOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly untilReady?: boolean;
}

/** Starts `weir serve` for one test. There is no directory of rules. */
export async function startWeirOnXds(address: string, options: XdsWeirOptions = {}): Promise<RunningWeir> {
  const { env, untilReady = true } = options;
  const weir = await startWeir({
    rules: '/nowhere/service/config',
    untilReady,
    env: { ...xdsSettings(address), ...env },
  });
  onTestFinished(() => void weir.stop());
  return weir;
}
