import { countText, durationText, momentText } from './in-words.ts';
import { html, type Markup } from './markup.ts';
import type { TimelineReport } from './report.ts';

const width = 760;
const left = 64;
const top = 8;
const below = 20;

/** One series of a plot, and the class that colours it. */
interface Series {
  readonly className: string;
  readonly values: readonly number[];
}

/** Allowed and denied over time, one upon the other. @param height of the whole, in pixels */
export function stackedPlot(timeline: TimelineReport, height: number): Markup {
  const { allowed, denied } = timeline;
  const sums = allowed.map((count, bucket) => count + (denied[bucket] ?? 0));
  const scale = createScale(sums, height);
  const bars = [
    {
      className: 'allowed',
      path: barsPath(
        allowed,
        allowed.map(() => 0),
        scale,
      ),
    },
    { className: 'denied', path: barsPath(denied, allowed, scale) },
  ];
  return plot(
    timeline,
    { scale, height, label: 'Allowed and denied over time' },
    bars.map(({ className, path }) => html`<path class="${className}" d="${path}"/>`),
  );
}

/** What two configurations deny over time, as two lines over the same buckets. */
export function linesPlot(a: TimelineReport, b: TimelineReport, height: number): Markup {
  const series: readonly Series[] = [
    { className: 'line-a', values: a.denied },
    { className: 'line-b', values: b.denied },
  ];
  const scale = createScale(
    series.flatMap(({ values }) => values),
    height,
    a.denied.length,
  );
  return plot(
    a,
    { scale, height, label: 'Denied by A and by B over time' },
    series.map(({ className, values }) => html`<path class="${className}" d="${stepsPath(values, scale)}"/>`),
  );
}

/** Numbers as places of the plot. */
interface Scale {
  readonly most: number;
  x(bucket: number): number;
  y(count: number): number;
}

function createScale(values: readonly number[], height: number, buckets = values.length): Scale {
  const most = Math.max(1, ...values);
  const room = height - top - below;
  return {
    most,
    x: (bucket) => round(left + ((width - left) * bucket) / Math.max(1, buckets)),
    y: (count) => round(top + room - (room * count) / most),
  };
}

function barsPath(values: readonly number[], under: readonly number[], { x, y }: Scale): string {
  return values
    .map((count, bucket) => {
      const base = under[bucket] ?? 0;
      return count === 0 ? '' : `M${x(bucket)} ${y(base)}V${y(base + count)}H${x(bucket + 1)}V${y(base)}Z`;
    })
    .join('');
}

function stepsPath(values: readonly number[], { x, y }: Scale): string {
  return values
    .map((count, bucket) => `${bucket === 0 ? 'M' : 'L'}${x(bucket)} ${y(count)}H${x(bucket + 1)}`)
    .join('');
}

interface Frame {
  readonly scale: Scale;
  readonly height: number;
  readonly label: string;
}

function plot(timeline: TimelineReport, { scale, height, label }: Frame, shapes: readonly Markup[]): Markup {
  const { start, bucketSeconds, allowed } = timeline;
  const end = start === null ? null : endOf(start, bucketSeconds * allowed.length);
  const base = scale.y(0);
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">
<path class="grid" d="M${left} ${scale.y(scale.most)}H${width}M${left} ${base}H${width}"/>
${shapes}
<text x="${left - 6}" y="${scale.y(scale.most) + 8}" class="end">${countText(scale.most)}</text>
<text x="${left - 6}" y="${base}" class="end">0</text>
<text x="${left}" y="${height - 4}">${start === null ? '' : momentText(start)}</text>
<text x="${(left + width) / 2}" y="${height - 4}" class="middle">per ${durationText(bucketSeconds)}</text>
<text x="${width}" y="${height - 4}" class="end">${end === null ? '' : momentText(end)}</text>
</svg>`;
}

function endOf(start: string, seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

function round(place: number): number {
  return Math.round(place * 10) / 10;
}
