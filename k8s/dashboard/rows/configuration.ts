import { type Row, rateBy, replicas } from '../panel.ts';

export const configuration: Row = {
  title: 'Configuration',
  panels: [
    {
      title: 'Version by replica',
      description: 'The same where the rules are the same.',
      kind: 'table',
      unit: 'none',
      queries: [
        { expression: `max by (instance, version) (weir_config_info{${replicas}})`, legend: '{{instance}}' },
      ],
    },
    {
      title: 'Age of the rules in force',
      description: 'Since they were applied; all years since 1970 where none were.',
      kind: 'graph',
      unit: 's',
      queries: [
        { expression: `time() - weir_config_applied_timestamp_seconds{${replicas}}`, legend: '{{instance}}' },
      ],
    },
    {
      title: 'Last load',
      description: '1 if nothing of it was refused.',
      kind: 'graph',
      unit: 'none',
      queries: [{ expression: `weir_config_last_load_ok{${replicas}}`, legend: '{{instance}}' }],
    },
    {
      title: 'Time since the last load',
      description: 'A load is a change that was looked at, whatever became of it.',
      kind: 'graph',
      unit: 's',
      queries: [
        {
          expression: `time() - weir_config_last_load_timestamp_seconds{${replicas}}`,
          legend: '{{instance}}',
        },
      ],
    },
    {
      title: 'Loads',
      description: 'After which new rules are in force, and of which something was refused.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        {
          expression: rateBy('instance', 'ratelimit_service_config_load_success'),
          legend: 'applied {{instance}}',
        },
        {
          expression: rateBy('instance', 'ratelimit_service_config_load_error'),
          legend: 'refused {{instance}}',
        },
      ],
    },
    {
      title: 'Problems of the last load',
      description: 'By severity, and errors by file.',
      kind: 'graph',
      unit: 'none',
      queries: [
        { expression: `max by (severity) (weir_config_issues{${replicas}})`, legend: '{{severity}}' },
        { expression: `max by (file) (weir_config_file_errors{${replicas}})`, legend: '{{file}}' },
      ],
    },
    {
      title: 'Rules and domains in force',
      description: 'By replica.',
      kind: 'graph',
      unit: 'none',
      queries: [
        { expression: `weir_config_rules{${replicas}}`, legend: 'rules {{instance}}' },
        { expression: `weir_config_domains{${replicas}}`, legend: 'domains {{instance}}' },
      ],
    },
    {
      title: 'Connection to sources of rules',
      description: '1 while it can be read: xDS, HTTP, etcd, Consul. Nothing where rules come from files.',
      kind: 'graph',
      unit: 'none',
      queries: [
        { expression: `weir_config_source_connected{${replicas}}`, legend: '{{source}} {{instance}}' },
      ],
    },
    {
      title: 'Hits without a series of their own',
      description:
        'Counted under (other), since METRICS_MAX_SERIES bounds the series. Limits are not affected.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('instance', 'weir_metrics_overflow_total'), legend: '{{instance}}' }],
    },
  ],
};
