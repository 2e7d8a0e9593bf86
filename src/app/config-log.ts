import type { ConfigLoad } from '../config/config-loader.ts';
import type { FileSourceEvent } from '../config/file-source.ts';
import type { Logger } from '../log.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RuleSet } from '../rules/rule-set.ts';

/** Issues of one load that get a line of their own. */
const maxIssues = 100;

/** One line for each load, and one for each of its issues. */
export function createConfigLog(log: Logger): (load: ConfigLoad, rules: RuleSet | undefined) => void {
  return ({ result }, rules) => {
    for (const issue of result.issues.slice(0, maxIssues)) logIssue(log, issue);
    const fields = {
      version: result.version,
      domains: rules?.domains.size ?? 0,
      rules: rules?.rules.length ?? 0,
      issues: result.issues.length,
    };
    if (result.kind === 'applied') log.info(fields, 'configuration loaded');
    else log.error(fields, 'configuration rejected; what was in force stays');
  };
}

function logIssue(log: Logger, { severity, code, file, line, column, message }: ConfigIssue): void {
  const fields = { code, file, line, column, problem: message };
  if (severity === 'error') log.error(fields, 'configuration refused');
  else log.warn(fields, severity === 'ignored' ? 'configuration ignored' : 'configuration to be looked at');
}

/** What a file source meets apart from its files. */
export function createSourceLog(log: Logger): (event: FileSourceEvent) => void {
  return (event) => {
    if (event.kind === 'watch-failed') {
      const { directory, message } = event;
      log.warn({ directory, problem: message }, 'cannot watch the directory; changes are found by polling');
      return;
    }
    log.error({ err: event.error }, 'reading the configuration failed; it is tried again');
  };
}
