import type { SettingIssue } from '../settings/settings.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

/** Tells what is wrong with the environment; the status to end with. */
export function printSettingIssues(issues: readonly SettingIssue[], output: Output): number {
  for (const { message } of issues) output.err(`weir: ${message}`);
  return exitCodes.broken;
}
