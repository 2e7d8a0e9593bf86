import { type Row, rateBy, replicas, ruleLabels, ruleLegend, rules, totalRate } from '../panel.ts';

const family = 'ratelimit_service_rate_limit_';

export const decisions: Row = {
  title: 'Decisions',
  panels: [
    {
      title: 'Requests by result',
      description: 'Decisions by their code, and errors by theirs.',
      kind: 'graph',
      unit: 'reqps',
      queries: [
        { expression: rateBy('code', 'weir_decisions_total'), legend: '{{code}}' },
        { expression: rateBy('code', 'weir_failures_total'), legend: '{{code}}' },
      ],
    },
    {
      title: 'Requests by replica',
      description: 'Even when connections are spread evenly.',
      kind: 'graph',
      unit: 'reqps',
      queries: [{ expression: rateBy('instance', 'weir_decisions_total'), legend: '{{instance}}' }],
    },
    {
      title: 'Hits by rule',
      description: 'The ten rules that are hit most.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: `topk(10, ${rateBy(ruleLabels, `${family}total_hits`, rules)})`, legend: ruleLegend },
      ],
    },
    {
      title: 'Denied hits by rule',
      description: 'The ten that are over their limit most; those of rules in shadow mode were let through.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: `topk(10, ${rateBy(ruleLabels, `${family}over_limit`, rules)})`, legend: ruleLegend },
      ],
    },
    {
      title: 'Over, and let through',
      description: 'By shadow mode of rules, in hits, and by SHADOW_MODE of all, in requests.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: rateBy(ruleLabels, `${family}shadow_mode`, rules), legend: ruleLegend },
        { expression: totalRate('ratelimit_service_global_shadow_mode'), legend: 'SHADOW_MODE' },
      ],
    },
    {
      title: 'Denied from memory, and given back',
      description:
        'Hits that the deny cache refused without asking the store, and hits that callers gave back.',
      kind: 'graph',
      unit: 'ops',
      queries: [
        { expression: totalRate(`${family}over_limit_with_local_cache`, rules), legend: 'deny cache' },
        { expression: totalRate(`${family}total_negative_hits`, rules), legend: 'given back' },
      ],
    },
    {
      title: 'Descriptors by source of their limit',
      description: 'A rule, the request itself, a rule without a limit, one that replaces it, or none.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('source', 'weir_descriptors_total'), legend: '{{source}}' }],
    },
    {
      title: 'Limits in requests',
      description: 'Hits on limits that requests brought themselves.',
      kind: 'graph',
      unit: 'ops',
      queries: [{ expression: rateBy('stat', 'weir_override_hits_total', replicas), legend: '{{stat}}' }],
    },
  ],
};
