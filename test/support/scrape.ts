import type { Metrics } from '../../src/telemetry/metrics.ts';
import { seriesOf } from './exposition.ts';

/** The series of a page at `/metrics` by their text, such as `name{label="value"}`. A page that has one twice is broken. */
export async function scrape(metrics: Metrics): Promise<Map<string, number>> {
  const { body } = await metrics.text();
  const series = seriesOf(body);
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length !== series.size) throw new Error(`${lines.length - series.size} series are there twice`);
  return series;
}

/** The series whose text contains this. */
export async function seriesWith(metrics: Metrics, text: string): Promise<Record<string, number>> {
  return Object.fromEntries([...(await scrape(metrics))].filter(([name]) => name.includes(text)));
}
