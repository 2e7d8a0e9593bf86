import type { Apply, ConfigSource } from '../../config/config-source.ts';
import type { Logger } from '../../log.ts';

export interface SourceParts {
  readonly apply: Apply;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Runs a source of rules to its end, and never rejects. A source that gives up before the signal delivers no more: that is
 * said once, loudly, and decisions go on by the rules that are in force.
 */
export async function runSource(source: ConfigSource, { apply, signal, log }: SourceParts): Promise<void> {
  try {
    await source.run(apply, signal);
  } catch (err) {
    log.error({ err }, 'the source of the rules has failed; what is in force stays until a restart');
  }
}
