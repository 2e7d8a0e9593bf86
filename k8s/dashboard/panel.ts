/** A query, and how its series are named. `{{label}}` is replaced by Grafana. */
export interface Query {
  readonly expression: string;
  readonly legend: string;
}

/** What a panel shows; where it is and how it looks is the same for all of its kind. */
export interface Panel {
  readonly title: string;
  /** What one reads from it, in a sentence. */
  readonly description: string;
  readonly kind: 'graph' | 'number' | 'table';
  /** Grafana's name of a unit. */
  readonly unit: 'reqps' | 'percentunit' | 's' | 'bytes' | 'short' | 'none' | 'ops';
  readonly queries: readonly Query[];
  /** A line that must not be crossed. */
  readonly line?: number;
}

/** Panels that belong together, below a heading that can be folded. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** The replicas that are chosen above the dashboard. */
export const replicas = 'namespace=~"$namespace",job=~"$job",instance=~"$instance"';

/** Their series of rules, of the domains that are chosen. */
export const rules = `${replicas},domain=~"$domain"`;

/** The labels of a rule's series, and how a legend writes them. */
export const ruleLabels = 'domain, key1, key2';
export const ruleLegend = '{{domain}} {{key1}} {{key2}}';

/** `sum by (labels) (rate(...))` over the interval that suits the zoom. */
export function rateBy(labels: string, metric: string, matchers: string = replicas): string {
  return `sum by (${labels}) (rate(${metric}{${matchers}}[$__rate_interval]))`;
}

/** The same without a label that is left. */
export function totalRate(metric: string, matchers: string = replicas): string {
  return `sum(rate(${metric}{${matchers}}[$__rate_interval]))`;
}
