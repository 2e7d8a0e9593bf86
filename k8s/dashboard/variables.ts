/** Chosen above the dashboard. All of them show everything unless something is chosen. */
export function variables(): readonly object[] {
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 },
    labelValues('namespace', 'weir_ready'),
    labelValues('job', 'weir_ready{namespace=~"$namespace"}'),
    labelValues('instance', 'weir_ready{namespace=~"$namespace",job=~"$job"}'),
    labelValues('domain', 'weir_rule_limit_per_second{namespace=~"$namespace",job=~"$job"}'),
    responseTimeScale,
  ];
}

/** Also takes series without the label: not every scrape has a namespace. */
function labelValues(label: string, series: string): object {
  const query = `label_values(${series},${label})`;
  return {
    name: label,
    label: label[0]?.toUpperCase() + label.slice(1),
    type: 'query',
    datasource: { type: 'prometheus', uid: '$datasource' },
    definition: query,
    query: { query, refId: label },
    includeAll: true,
    allValue: '.*',
    multi: true,
    current: { text: ['All'], value: ['$__all'] },
    refresh: 2,
    sort: 1,
  };
}

/** Seconds in what the response time is exported in: PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS keeps its name. */
const responseTimeScale = {
  name: 'scale',
  label: 'Response times are in',
  type: 'custom',
  query: 'seconds : 1, milliseconds : 0.001',
  current: { text: 'seconds', value: '1' },
  options: [
    { text: 'seconds', value: '1', selected: true },
    { text: 'milliseconds', value: '0.001', selected: false },
  ],
};
