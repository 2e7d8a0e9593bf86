import type { SettingIssue } from '../settings/settings.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

/** What was found wrong in an environment. */
export interface SettingIssues {
  readonly errors: readonly SettingIssue[];
  readonly warnings?: readonly SettingIssue[];
}

/** Tells what is wrong with the environment, what ends the command last; the status to end with. */
export function printSettingIssues({ errors, warnings = [] }: SettingIssues, output: Output): number {
  for (const { message } of warnings) output.err(`weir: warning: ${message}`);
  for (const { message } of errors) output.err(`weir: error: ${message}`);
  return exitCodes.broken;
}
