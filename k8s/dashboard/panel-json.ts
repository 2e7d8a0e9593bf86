import type { Panel, Query } from './panel.ts';

const datasource = { type: 'prometheus', uid: '$datasource' };

const typeOfKind = { graph: 'timeseries', number: 'stat', table: 'table' } as const;

/** A panel as Grafana keeps it, without its place. */
export function panelJson(panel: Panel): object {
  const { title, description, kind, queries } = panel;
  return {
    type: typeOfKind[kind],
    title,
    description,
    datasource,
    targets: queries.map((query, index) => targetJson(query, index, kind)),
    fieldConfig: { defaults: defaults(panel), overrides: [] },
    ...looks[kind],
  };
}

function targetJson({ expression, legend }: Query, index: number, kind: Panel['kind']): object {
  const isTable = kind === 'table';
  return {
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource,
    expr: expression,
    legendFormat: legend,
    editorMode: 'code',
    instant: isTable,
    range: !isTable,
    format: isTable ? 'table' : 'time_series',
  };
}

function defaults({ kind, unit, line }: Panel): object {
  const steps = [
    { color: 'green', value: null },
    ...(line === undefined ? [] : [{ color: 'red', value: line }]),
  ];
  return {
    unit,
    min: 0,
    thresholds: { mode: 'absolute', steps },
    color: { mode: kind === 'graph' ? 'palette-classic' : 'thresholds' },
    ...(kind === 'graph' ? { custom: drawing(line !== undefined) } : {}),
  };
}

function drawing(hasLine: boolean): object {
  return {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: 5,
    showPoints: 'never',
    thresholdsStyle: { mode: hasLine ? 'line' : 'off' },
  };
}

const looks = {
  graph: {
    options: {
      legend: { showLegend: true, displayMode: 'list', placement: 'bottom', calcs: [] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
  },
  number: {
    options: {
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
      colorMode: 'none',
      graphMode: 'area',
      textMode: 'value',
    },
  },
  table: {
    options: { showHeader: true, sortBy: [{ displayName: 'Value', desc: true }] },
    transformations: [{ id: 'organize', options: { excludeByName: { Time: true } } }],
  },
} as const;
