import type { ConfigLoad } from '../config/config-loader.ts';
import type { FileSourceEvent } from '../config/file-source.ts';
import { textOf } from '../domain/octets.ts';
import type { Logger } from '../log.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { printable } from '../telemetry/printable.ts';

/** Issues of one load that get a line of their own. */
const maxIssues = 100;

/** Domains that a line names. */
const maxDomains = 10;

export interface ConfigLogOptions {
  readonly log: Logger;
  /** Clients show certificates (GRPC_CLIENT_TLS_CACERT). */
  readonly clientsHaveNames: boolean;
}

type LoggedLoad = Pick<ConfigLoad, 'source' | 'result' | 'news'>;

/** One line for each load, one for each of its issues, and one where it names clients that nobody can be. */
export function createConfigLog({
  log,
  clientsHaveNames,
}: ConfigLogOptions): (load: LoggedLoad, rules: RuleSet | undefined) => void {
  return ({ source, result, news }, rules) => {
    for (const issue of news.slice(0, maxIssues)) logIssue(log, issue);
    const fields = {
      source,
      version: result.version,
      domains: rules?.domains.size ?? 0,
      rules: rules?.rules.length ?? 0,
      issues: result.issues.length,
    };
    if (result.kind !== 'applied') {
      log.error(fields, 'configuration rejected; what was in force stays');
      return;
    }
    log.info(fields, 'configuration loaded');
    if (!clientsHaveNames && rules !== undefined) warnOfClosedDomains(log, rules);
  };
}

function warnOfClosedDomains(log: Logger, rules: RuleSet): void {
  const closed = [...rules.domains.values()].filter(({ clients }) => clients !== undefined);
  if (closed.length === 0) return;
  const domains = closed.slice(0, maxDomains).map(({ domain }) => printable(textOf(domain)));
  log.warn(
    { domains, count: closed.length },
    "nobody can use domains with 'clients': callers have no names unless GRPC_CLIENT_TLS_CACERT is set",
  );
}

function logIssue(log: Logger, { severity, code, file, line, column, path, message }: ConfigIssue): void {
  const place = path === undefined ? { line, column } : { path };
  const fields = { code, file, ...place, problem: message };
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
