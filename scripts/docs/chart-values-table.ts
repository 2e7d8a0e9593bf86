import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { markdownTable } from './markdown-table.ts';

/** A value of the chart that has a comment. */
export interface ChartValue {
  /** Keys from the top, joined by dots. */
  readonly path: string;
  /** As JSON. */
  readonly default: string;
  readonly meaning: string;
}

/** The values of a values.yaml in its order: each key with a comment above it, which is what it means. */
export function chartValues(text: string): ChartValue[] {
  const { contents } = parseDocument(text, { version: '1.1' });
  if (!isMap(contents)) throw new Error('values.yaml is no map');
  return valuesOf(contents, []);
}

/** The table of `k8s/chart/README.md`. */
export function chartValuesTable(text: string): string {
  const rows = chartValues(text).map(({ path, default: json, meaning }) => [
    `\`${path}\``,
    `\`${json}\``,
    meaning,
  ]);
  return markdownTable(['Value', 'Default', 'Meaning'], rows);
}

function valuesOf(map: YAMLMap, path: readonly string[]): ChartValue[] {
  return map.items.flatMap((pair, index) => {
    const here = [...path, String(pair.key)];
    const meaning = commentAbove(pair, index === 0 ? map : undefined);
    const nested = isMap(pair.value) ? pair.value : undefined;
    // What has a comment is explained as a whole; what has none is a group.
    if (meaning === '') {
      if (nested === undefined) throw new Error(`${here.join('.')} has no comment`);
      return valuesOf(nested, here);
    }
    const value = nested?.toJSON() ?? (isScalar(pair.value) ? pair.value.value : pair.value);
    return [{ path: here.join('.'), default: JSON.stringify(value ?? null), meaning }];
  });
}

/**
 * The comment above a key, up to an empty line. The parser gives that of a map's first key to the map, and what stands at
 * the top of the file with it.
 */
function commentAbove({ key }: Pair, map: YAMLMap | undefined): string {
  const own = isScalar(key) ? key.commentBefore : undefined;
  const lines = (own ?? map?.commentBefore ?? '').split('\n').map((line) => line.trim());
  return lines.slice(lines.lastIndexOf('') + 1).join(' ');
}
