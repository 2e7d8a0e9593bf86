import { type Row, rateBy, replicas, totalRate } from '../panel.ts';

export const enforcement: Row = {
  title: 'Limits that are not enforced',
  panels: [
    {
      title: 'Degraded decisions by policy',
      description: 'Requests that a failure policy decided, since their counters could not be reached.',
      kind: 'graph',
      unit: 'reqps',
      queries: [{ expression: rateBy('policy', 'weir_degraded_decisions_total'), legend: '{{policy}}' }],
    },
    {
      title: 'Requests without a decision',
      description: 'By the code that their caller gets.',
      kind: 'graph',
      unit: 'reqps',
      queries: [
        { expression: rateBy('code', 'weir_failures_total'), legend: '{{code}}' },
        {
          expression: rateBy('err_type', 'ratelimit_service_should_rate_limit_error'),
          legend: '{{err_type}}',
        },
      ],
    },
    {
      title: 'Late answers by replica',
      description: 'Ready after the deadline of their caller, who has gone by then.',
      kind: 'graph',
      unit: 'reqps',
      queries: [{ expression: rateBy('instance', 'weir_late_answers_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Unmatched descriptors',
      description:
        'Nothing limits them: their domain is unknown, or has no rule for them. The log has samples.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('reason', 'weir_unmatched_total'), legend: '{{reason}}' }],
    },
    {
      title: 'Counting alone',
      description: 'Replicas that count in their own memory although nobody said so: REDIS_URL is missing.',
      kind: 'graph',
      unit: 'none',
      queries: [{ expression: `weir_store_local_by_default{${replicas}}`, legend: '{{instance}}' }],
    },
    {
      title: 'Hits that could not be given back',
      description: 'Of denied requests that count nothing (COUNT_DENIED=false): they count all the same.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: totalRate('weir_store_compensations_lost_total'), legend: 'lost' }],
    },
  ],
};
