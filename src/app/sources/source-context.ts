import type { Clock } from '../../domain/clock.ts';
import type { Logger } from '../../log.ts';
import type { RemoteSettings } from '../../settings/source-settings.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** What sources are made with. */
export interface SourceContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** For those that are reached over the network. */
export interface RemoteContext extends SourceContext {
  readonly remote: RemoteSettings;
  /** Their rules are kept on disk. */
  readonly withContent: boolean;
}
