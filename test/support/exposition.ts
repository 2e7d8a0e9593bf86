/** The samples of a text in Prometheus' format, by name and labels as they stand there. */
export function seriesOf(exposition: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const line of exposition.split('\n')) {
    const cut = line.lastIndexOf(' ');
    if (cut > 0 && !line.startsWith('#')) series.set(line.slice(0, cut), Number(line.slice(cut + 1)));
  }
  return series;
}
