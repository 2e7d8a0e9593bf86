/** Makes the Grafana dashboard of the chart from `k8s/dashboard/`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dashboardText } from '../k8s/dashboard/dashboard.ts';

export const dashboardFile = fileURLToPath(new URL('../k8s/chart/dashboards/weir.json', import.meta.url));

if (import.meta.main) {
  mkdirSync(dirname(dashboardFile), { recursive: true });
  writeFileSync(dashboardFile, dashboardText());
}
