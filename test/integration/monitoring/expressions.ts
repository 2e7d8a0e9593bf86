import { rows } from '../../../k8s/dashboard/dashboard.ts';
import { readText } from '../repository/repository.ts';
import { readAlerts } from './alert-rules.ts';

/** A query, and the alert or panel that asks it. */
export interface Expression {
  readonly of: string;
  readonly text: string;
}

/** Of the alerts as they are. */
export function alertExpressions(): Expression[] {
  return readAlerts().map(({ alert, expr }) => ({ of: alert, text: expr }));
}

/** Of the panels, with what Grafana puts in the place of variables when everything is chosen. */
export function panelExpressions(): Expression[] {
  return rows
    .flatMap(({ panels }) => panels)
    .flatMap(({ title, queries }) =>
      queries.map(({ expression }) => ({ of: title, text: withValues(expression) })),
    );
}

/** The queries that fill the dashboard's variables. */
export function variableQueries(): string[] {
  const { templating } = JSON.parse(readText('k8s/chart/dashboards/weir.json')) as {
    readonly templating: { readonly list: readonly { readonly definition?: string }[] };
  };
  return templating.list.flatMap(({ definition }) => definition ?? []);
}

function withValues(expression: string): string {
  return expression
    .replaceAll(/\$(namespace|job|instance|domain)\b/g, '.*')
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '3h')
    .replaceAll('$scale', '1');
}

/** The metrics that a query asks for; those of Prometheus itself are left out. */
export function metricsIn(text: string): string[] {
  const names = text.match(/\b(?:weir|ratelimit|process|nodejs)_[a-z0-9_]+/g) ?? [];
  return [...new Set(names)];
}
