import type { Output } from './output.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a command gets from the process that runs it. */
export interface CommandContext {
  readonly env: Environment;
  readonly output: Output;
}
