import type { MetricNumbers } from '../metrics.ts';
import { type Series, type Statistic, statistics } from '../series.ts';
import type { Figure } from './figure.ts';
import { ruleStatName, statFamilies, statName } from './stat-names.ts';

/** Tells what the page's numbers have gained since they were last asked for, under the reference's statsd names. */
export class Gains {
  readonly #numbers: MetricNumbers;
  readonly #totals = new Map<string, number>();
  /** A series that is gone, and begins anew later, is another one: it gained all that it has. */
  readonly #series = new WeakMap<Series, SentCounts>();

  constructor(numbers: MetricNumbers) {
    this.#numbers = numbers;
  }

  /** Gauges, and counters that gained something. What is taken counts as sent. */
  async take(): Promise<Iterable<Figure>> {
    const fixed: Figure[] = [];
    for (const [family, { kind, name }] of Object.entries(statFamilies)) {
      for (const { labels, value } of await this.#numbers.samples(family)) {
        const written = name(labels);
        if (written === undefined) continue;
        const figure = { kind, name: statName(written), value };
        if (kind === 'gauge') fixed.push(figure);
        else fixed.push(...this.#gained(figure));
      }
    }
    return chained(fixed, this.#ofSeries());
  }

  #gained(figure: Figure): Figure[] {
    const gain = figure.value - (this.#totals.get(figure.name) ?? 0);
    this.#totals.set(figure.name, figure.value);
    return gain > 0 ? [{ ...figure, value: gain }] : [];
  }

  *#ofSeries(): Generator<Figure> {
    for (const series of this.#numbers.series()) {
      const sent = this.#sentOf(series);
      for (const statistic of statistics) {
        const total = series.counts[statistic];
        const gain = total - sent.counts[statistic];
        if (gain <= 0) continue;
        sent.counts[statistic] = total;
        yield { kind: 'counter', name: `${sent.name}.${statistic}`, value: gain };
      }
    }
  }

  #sentOf(series: Series): SentCounts {
    const known = this.#series.get(series);
    if (known !== undefined) return known;
    const counts = Object.fromEntries(statistics.map((statistic) => [statistic, 0]));
    const created = { name: ruleStatName(series.labels), counts: counts as Record<Statistic, number> };
    this.#series.set(series, created);
    return created;
  }
}

interface SentCounts {
  readonly name: string;
  readonly counts: Record<Statistic, number>;
}

function* chained<T>(...parts: Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}
