import type { Health } from '../health.ts';
import type { Logger } from '../log.ts';

/** One line each time that this process becomes ready or no longer is, with the parts that are down. */
export function logReadiness(health: Health, log: Logger): void {
  health.subscribe((isReady) => {
    if (isReady) return log.info({}, 'ready');
    const down = health.down();
    // Stopping is meant; anything else takes the replica out of the traffic.
    log[down.includes('running') ? 'info' : 'warn']({ down }, 'not ready');
  });
}
