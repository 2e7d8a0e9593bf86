import { type Row, rateBy, replicas } from '../panel.ts';

export const process: Row = {
  title: 'Replicas',
  panels: [
    {
      title: 'Ready',
      description: '1 while a replica should get requests.',
      kind: 'graph',
      unit: 'none',
      queries: [{ expression: `weir_ready{${replicas}}`, legend: '{{instance}}' }],
    },
    {
      title: 'Event loop, share of time',
      description: 'The one thread that decides. Above 0.7, another replica is due; more CPU does not help.',
      kind: 'graph',
      unit: 'percentunit',
      line: 0.7,
      queries: [
        { expression: rateBy('instance', 'weir_event_loop_busy_seconds_total'), legend: '{{instance}}' },
      ],
    },
    {
      title: 'Event loop, lag p99',
      description: 'Since the scrape before; 10 ms of it are the own timer of what measures it.',
      kind: 'graph',
      unit: 's',
      queries: [{ expression: `nodejs_eventloop_lag_p99_seconds{${replicas}}`, legend: '{{instance}}' }],
    },
    {
      title: 'CPU',
      description: 'Cores; more than 1 is the collector, and the thread that reads rules.',
      kind: 'graph',
      unit: 'short',
      queries: [{ expression: rateBy('instance', 'process_cpu_seconds_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Memory',
      description: 'What the process takes, and what it may take.',
      kind: 'graph',
      unit: 'bytes',
      queries: [
        { expression: `process_resident_memory_bytes{${replicas}}`, legend: '{{instance}}' },
        { expression: `min(weir_memory_limit_bytes{${replicas}})`, legend: 'limit' },
      ],
    },
    {
      title: 'Heap and collector',
      description: 'Used heap, which levels off with the number of rules and of series.',
      kind: 'graph',
      unit: 'bytes',
      queries: [{ expression: `nodejs_heap_size_used_bytes{${replicas}}`, legend: '{{instance}}' }],
    },
    {
      title: 'Garbage collection, share of time',
      description: 'Time in the collector.',
      kind: 'graph',
      unit: 'percentunit',
      queries: [{ expression: rateBy('instance', 'nodejs_gc_duration_seconds_sum'), legend: '{{instance}}' }],
    },
  ],
};
