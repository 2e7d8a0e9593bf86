import type { Panel, Row } from './panel.ts';
import { panelJson } from './panel-json.ts';
import { configuration } from './rows/configuration.ts';
import { decisions } from './rows/decisions.ts';
import { enforcement } from './rows/enforcement.ts';
import { latency } from './rows/latency.ts';
import { limits } from './rows/limits.ts';
import { overview } from './rows/overview.ts';
import { process } from './rows/process.ts';
import { store } from './rows/store.ts';
import { transport } from './rows/transport.ts';
import { variables } from './variables.ts';

/** From top to bottom. */
export const rows: readonly Row[] = [
  overview,
  decisions,
  limits,
  enforcement,
  latency,
  store,
  configuration,
  transport,
  process,
];

/** In Grafana's grid of 24 columns. */
const sizes: Readonly<Record<Panel['kind'], { readonly w: number; readonly h: number }>> = {
  number: { w: 4, h: 4 },
  graph: { w: 12, h: 8 },
  table: { w: 8, h: 9 },
};
const columns = 24;

/** The dashboard as a file that Grafana imports, or loads from a folder. */
export function dashboardText(): string {
  const dashboard = {
    uid: 'weir',
    title: 'Weir',
    description: 'Rate-limit decisions. Made by `npm run gen` of k8s/dashboard/.',
    tags: ['weir', 'rate-limit'],
    schemaVersion: 41,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [],
    templating: { list: variables() },
    panels: placed(),
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

/** Everything with its place: from left to right, and on below where there is no room. */
function placed(): object[] {
  const all: object[] = [];
  let y = 0;
  const add = (panel: object, gridPos: object) => all.push({ id: all.length + 1, ...panel, gridPos });
  for (const { title, panels } of rows) {
    add({ type: 'row', title, collapsed: false, panels: [] }, { x: 0, y, w: columns, h: 1 });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      const size = sizes[panel.kind];
      if (x + size.w > columns) [x, y, height] = [0, y + height, 0];
      add(panelJson(panel), { x, y, ...size });
      x += size.w;
      height = Math.max(height, size.h);
    }
    y += height;
  }
  return all;
}
