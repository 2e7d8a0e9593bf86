import { parse } from 'yaml';
import { readText } from '../repository/repository.ts';

/** An alert of the rules file, as Prometheus takes it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

/** Where the alerts are, from the root of the repository. */
export const alertsFile = 'k8s/chart/alerts/weir.yaml';

/** All alerts, in their order. */
export function readAlerts(): readonly AlertRule[] {
  const { groups } = parse(readText(alertsFile)) as { groups: readonly { rules: readonly AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
