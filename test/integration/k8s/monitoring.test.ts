import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { root } from '../repository/repository.ts';
import { render } from './render.ts';
import { problemsOf } from './validate.ts';

const values = {
  prometheusRule: { enabled: true, labels: { release: 'prom' } },
  dashboards: { enabled: true },
};

/** The chart, with these files alone in place of its own alerts and dashboards. */
async function chartWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-chart-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(root, 'k8s/chart'), folder, { recursive: true });
  for (const part of ['alerts', 'dashboards']) {
    await rm(join(folder, part), { recursive: true, force: true });
    await mkdir(join(folder, part));
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}

const alerts = (name: string) => `groups:
  - name: ${name}
    rules:
      - alert: Denied
        expr: rate(weir_decisions_total{code="OVER_LIMIT"}[5m]) > 1e3
        for: 10m
        annotations: { summary: "{{ $labels.pod }}: {{ $value | humanize }}" }
`;

describeWithTools(['helm', 'kubernetes-validate'], 'alerts and dashboards of the chart', () => {
  it('the runbook is where runbookUrl says', async () => {
    const runbookUrl = 'https://wiki.example.com/weir/';
    const { find } = await render({ values: { prometheusRule: { enabled: true, runbookUrl } } });
    const { groups } = find<{ spec: { groups: { rules: { annotations: Record<string, string> }[] }[] } }>(
      'PrometheusRule',
    ).spec;
    const urls = groups.flatMap(({ rules }) => rules.map(({ annotations }) => annotations['runbook_url']));
    expect(urls.length).toBeGreaterThan(20);
    for (const url of urls)
      expect(url).toMatch(/^https:\/\/wiki\.example\.com\/weir\/docs\/runbook\.md#weir[a-z]+$/);
  });

  it('arrive as they are in the files, whose own templates Helm leaves alone', async () => {
    const dashboard = '{\n  "title": "Weir {{pod}}",\n  "version": 1000000\n}\n';
    const chart = await chartWith({
      'alerts/a.yaml': alerts('a'),
      'alerts/b.yaml': alerts('b'),
      'dashboards/weir.json': dashboard,
    });
    const { objects, find } = await render({ chart, values });
    expect(await problemsOf(objects)).toEqual([]);
    const rule = find<{ spec: { groups: { name: string; rules: object[] }[] } }>('PrometheusRule');
    expect(rule.metadata.labels).toMatchObject({ release: 'prom' });
    expect(rule.spec.groups.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(rule.spec.groups[0]?.rules[0]).toEqual({
      alert: 'Denied',
      expr: 'rate(weir_decisions_total{code="OVER_LIMIT"}[5m]) > 1e3',
      for: '10m',
      annotations: { summary: '{{ $labels.pod }}: {{ $value | humanize }}' },
    });
    const map = find<{ data: Record<string, string> }>('ConfigMap', 'weir-dashboards');
    expect(map).toMatchObject({
      metadata: { labels: { grafana_dashboard: '1' } },
      data: { 'weir.json': dashboard },
    });
  });

  it('are left out where there is no file, and where nobody asked for them', async () => {
    const kinds = async (release: object) => (await render(release)).objects.map(({ kind }) => kind).sort();
    const without = await kinds({});
    expect(without).not.toContain('PrometheusRule');
    expect(await kinds({ chart: await chartWith({}), values })).toEqual(without);
  });

  it('that are no YAML are an error of the chart', async () => {
    const chart = await chartWith({ 'alerts/a.yaml': 'groups: [' });
    await expect(render({ chart, values })).rejects.toThrow('alerts/a.yaml: error converting YAML');
  });
});
