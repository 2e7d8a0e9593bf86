import type { HitCounts, Statistic } from './series.ts';
import { statistics } from './series.ts';
import type { SeriesLabels } from './series-labels.ts';

interface Family {
  readonly name: string;
  readonly help: string;
  readonly of: Exclude<keyof HitCounts, 'add' | 'join'>;
  /** Whether a series has anything to say. */
  readonly isShown: (counts: HitCounts) => boolean;
}

const helpOf: Readonly<Record<Statistic, string>> = Object.freeze({
  total_hits: 'Hits on a rule, allowed or not.',
  over_limit: 'Hits above the limit of a rule.',
  near_limit: 'Hits within the limit, and above the near-limit share of it.',
  within_limit: 'Hits within the limit of a rule, the near ones included.',
  shadow_mode: 'Hits above the limit of a rule in shadow mode: they were allowed.',
  over_limit_with_local_cache:
    'Hits above the limit that were refused from memory, without a call to the store.',
  total_negative_hits: 'Hits given back.',
});

/** What fewer counters take is not worth a series. */
function beganMany({ counters_created: counters }: HitCounts): boolean {
  return counters >= 1_000;
}

const families: readonly Family[] = [
  ...statistics.map((statistic) => {
    return {
      name: `ratelimit_service_rate_limit_${statistic}`,
      help: helpOf[statistic],
      of: statistic,
      isShown: (counts: HitCounts) => counts[statistic] > 0,
    };
  }),
  {
    name: 'weir_limit_warnings_total',
    help: 'Hits within the limit of a rule, from the share on at which it warns (warn_at).',
    of: 'warned',
    isShown: ({ warned }: HitCounts) => warned > 0,
  },
  {
    name: 'weir_counters_created_total',
    help: 'Counters that hits on a rule began: the first hit of a value in a window. Shown from 1,000 on.',
    of: 'counters_created',
    isShown: beganMany,
  },
  {
    name: 'weir_counters_created_bytes_total',
    help: 'Memory of Redis that they took, by estimate; what was created in the last window is what is held.',
    of: 'counters_created_bytes',
    isShown: beganMany,
  },
];

/**
 * The families of rules in Prometheus' text format. There may be 70,000 series, and they are written in one turn of the
 * loop, while calls with deadlines of 20 ms wait: prom-client takes several times as long for a line as joining text that
 * was made when the series began.
 *
 * Only series that have counted are written: as in the reference, there is none before its first hit.
 */
export function seriesText(
  series: Iterable<{ readonly labelText: string; readonly counts: HitCounts }>,
): string {
  const all = [...series];
  return families
    .map(({ name, help, of, isShown }) => {
      let text = `# HELP ${name} ${help}\n# TYPE ${name} counter\n`;
      for (const { labelText, counts } of all) {
        if (isShown(counts)) text += `${name}${labelText} ${counts[of]}\n`;
      }
      return text;
    })
    .join('\n');
}

/** `{domain="shop",key1="plan_free"}`, escaped as the text format wants it. */
export function labelsText({ domain, key1, key2 }: SeriesLabels): string {
  const second = key2 === undefined ? '' : `,key2="${escaped(key2)}"`;
  return `{domain="${escaped(domain)}",key1="${escaped(key1)}"${second}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
