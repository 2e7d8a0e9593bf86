import type { Metric, Registry } from 'prom-client';

/** A number of a family, with the labels that tell it from the others. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Only for the parts of a histogram, which have names of their own. */
  readonly metricName?: string;
}

/** A metric family whose numbers are kept elsewhere, as plain numbers, and are read when somebody scrapes. */
export interface MetricFamily {
  readonly name: string;
  /** One sentence for whoever sees the name in a dashboard. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  read(): Iterable<Sample>;
}

/**
 * Adds a family to a registry.
 *
 * prom-client's own counters look each increment's labels up by a text that they build from them, which costs more than
 * a whole decision on memory may; and to set them at scrape time would build it for each series. A registry needs of a
 * metric only its name and `get`, which is what it is given here.
 */
export function registerFamily(registry: Registry, family: MetricFamily): void {
  const { name, help, type } = family;
  const metric = {
    name,
    help,
    type,
    aggregator: 'sum',
    get: () => Promise.resolve({ name, help, type, aggregator: 'sum', values: [...family.read()] }),
    reset: () => {},
  };
  registry.registerMetric(metric as unknown as Metric);
}

/** The samples of a record of numbers: one series for each key, as the value of one label. */
export function samplesOf(label: string, numbers: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(numbers).map(([key, value]) => ({ labels: { [label]: key }, value }));
}

/** The only sample of a family without labels. */
export function sampleOf(value: number): Sample[] {
  return [{ labels: {}, value }];
}
