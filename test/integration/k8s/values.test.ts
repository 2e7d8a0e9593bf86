import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartValues } from '../../../scripts/docs/chart-values-table.ts';
import { readText, root } from '../repository/repository.ts';

/** As much of a JSON Schema as is looked at here. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

const schema = JSON.parse(readText('k8s/chart/values.schema.json')) as Schema;
const explained = chartValues(readText('k8s/chart/values.yaml')).map(({ path }) => path);

/** Names that the schema takes, as deep as it is closed. `global` is Helm's own. */
function pathsOf({ properties = {} }: Schema, path: readonly string[] = []): string[] {
  return Object.entries(properties).flatMap(([name, nested]) => {
    const here = [...path, name];
    return nested.additionalProperties === false ? pathsOf(nested, here) : [here.join('.')];
  });
}

/** Whether one is the other, or holds it. */
function covers(outer: string, inner: string): boolean {
  return `${inner}.`.startsWith(`${outer}.`);
}

describe('k8s/chart/values.yaml', () => {
  const taken = pathsOf(schema).filter((path) => path !== 'global');

  it('has and explains everything that the schema takes', () => {
    expect(taken.filter((path) => !explained.some((value) => covers(value, path)))).toEqual([]);
  });

  it('has nothing that the schema would refuse', () => {
    expect(explained.filter((value) => !taken.some((path) => covers(value, path)))).toEqual([]);
    expect(schema.additionalProperties).toBe(false);
  });
});

describe('the version of the package', () => {
  const { version } = JSON.parse(readText('package.json')) as { version: string };

  it('is that of the chart, and the tag of its image', () => {
    expect(parse(readText('k8s/chart/Chart.yaml'))).toMatchObject({ version, appVersion: version });
    const { dependencies } = parse(readText('examples/sidecar/Chart.yaml')) as { dependencies: object[] };
    expect(dependencies).toEqual([expect.objectContaining({ name: 'weir', version })]);
  });

  it.each(globSync('{docs,examples,k8s/manifests}/**/*.{md,yaml}', { cwd: root }))(
    'is the tag of every image of Weir in %s',
    (file) => {
      const tags = [...readText(file).matchAll(/\bweir:(\d[\w.-]*)/g)].map(([, tag]) => tag);
      expect(tags.filter((tag) => tag !== version)).toEqual([]);
    },
  );
});
