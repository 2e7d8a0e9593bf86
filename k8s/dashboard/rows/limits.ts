import { type Row, ruleLabels, ruleLegend, rules } from '../panel.ts';

const family = 'ratelimit_service_rate_limit_';

const over = (metric: string) => `sum by (${ruleLabels}) (increase(${family}${metric}{${rules}}[$__range]))`;
const limit = `max by (${ruleLabels}) (weir_rule_limit_per_second{${rules}}) > 0`;
/** Of all values of the rule's keys together, so that no single counter is used more than this on average. */
const use = `sum by (${ruleLabels}) (rate(${family}total_hits{${rules}}[$__range])) / (${limit})`;

export const limits: Row = {
  title: 'Limits, over the time that is shown',
  panels: [
    {
      title: 'Top denied rules',
      description: 'Hits above the limit.',
      kind: 'table',
      unit: 'short',
      queries: [{ expression: `topk(20, ${over('over_limit')} > 0)`, legend: ruleLegend }],
    },
    {
      title: 'Rules near their limit',
      description: 'Share of the hits that are above NEAR_LIMIT_RATIO of the limit and within it.',
      kind: 'table',
      unit: 'percentunit',
      queries: [
        {
          expression: `topk(20, ${over('near_limit')} / (${over('total_hits')} > 0) > 0)`,
          legend: ruleLegend,
        },
      ],
    },
    {
      title: 'Most used limits',
      description:
        'Hits of all values of a rule by its limit: above 1 where many values have a counter each.',
      kind: 'table',
      unit: 'percentunit',
      queries: [{ expression: `topk(20, ${use})`, legend: ruleLegend }],
    },
    {
      title: 'Hardly used limits',
      description:
        'The lowest of the same: all values together stay that far below what one of them may do. Such a limit protects from little, or is too high.',
      kind: 'table',
      unit: 'percentunit',
      queries: [{ expression: `bottomk(20, ${use} < 0.1)`, legend: ruleLegend }],
    },
    {
      title: 'Limits without a hit',
      description:
        'Rules in force that nobody hit: a key that Envoy does not send, or a route that nobody takes.',
      kind: 'table',
      unit: 'ops',
      queries: [
        {
          expression: `(${limit}) unless on (${ruleLabels}) ${over('total_hits')} > 0`,
          legend: ruleLegend,
        },
      ],
    },
    {
      title: 'New counters by rule',
      description:
        'Estimated memory that new counters take in the store, for rules that began 1,000 or more.',
      kind: 'table',
      unit: 'bytes',
      queries: [
        {
          expression: `topk(20, sum by (${ruleLabels}) (increase(weir_counters_created_bytes_total{${rules}}[$__range])))`,
          legend: ruleLegend,
        },
      ],
    },
  ],
};
