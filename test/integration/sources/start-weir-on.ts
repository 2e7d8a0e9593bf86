import { onTestFinished } from 'vitest';
import { type RunningWeir, startWeir } from '../../support/start-weir.ts';

export interface SourceWeirOptions {
  readonly rules?: Readonly<Record<string, string>>;
  readonly untilReady?: boolean;
}

/** Starts `weir serve` for one test, with these sources of rules. It tries again at once. */
export async function startWeirOn(
  env: Readonly<Record<string, string>>,
  { rules, untilReady = true }: SourceWeirOptions = {},
): Promise<RunningWeir> {
  const weir = await startWeir({
    rules: rules ?? '/nowhere/service/config',
    untilReady,
    env: {
      BACKEND_TYPE: 'memory',
      CONFIG_REMOTE_BACKOFF_INITIAL_INTERVAL: '20ms',
      CONFIG_REMOTE_BACKOFF_MAX_INTERVAL: '100ms',
      ...env,
    },
  });
  onTestFinished(() => void weir.stop());
  return weir;
}
