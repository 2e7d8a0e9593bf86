import { type Row, replicas, totalRate } from '../panel.ts';

const denied = totalRate('weir_decisions_total', `${replicas},code="OVER_LIMIT"`);
const decided = totalRate('weir_decisions_total');
const failed = totalRate('weir_failures_total');

export const overview: Row = {
  title: 'Overview',
  panels: [
    {
      title: 'Requests',
      description: 'All of them: decided, and without a decision.',
      kind: 'number',
      unit: 'reqps',
      queries: [{ expression: `${decided} + ${failed}`, legend: 'requests' }],
    },
    {
      title: 'Denied',
      description: 'Share of the decisions.',
      kind: 'number',
      unit: 'percentunit',
      queries: [{ expression: `${denied} / ${decided}`, legend: 'denied' }],
    },
    {
      title: 'Without a decision',
      description:
        'Share of the requests that get an error. Envoy lets them through unless failure_mode_deny is set.',
      kind: 'number',
      unit: 'percentunit',
      queries: [{ expression: `${failed} / (${decided} + ${failed})`, legend: 'failed' }],
    },
    {
      title: 'Late',
      description: 'Share of the answers that come after the deadline of their caller, who has gone by then.',
      kind: 'number',
      unit: 'percentunit',
      queries: [
        { expression: `${totalRate('weir_late_answers_total')} / (${decided} + ${failed})`, legend: 'late' },
      ],
    },
    {
      title: 'Replicas ready',
      description: 'Those that should get requests.',
      kind: 'number',
      unit: 'none',
      queries: [{ expression: `sum(weir_ready{${replicas}})`, legend: 'ready' }],
    },
    {
      title: 'Versions of the rules',
      description: 'More than one for longer than a change takes: some replicas have stale rules.',
      kind: 'number',
      unit: 'none',
      queries: [
        { expression: `count(count by (version) (weir_config_info{${replicas}}))`, legend: 'versions' },
      ],
    },
  ],
};
