import { globSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { readText, root } from '../repository/repository.ts';
import { readAlerts } from './alert-rules.ts';
import { alertExpressions, metricsIn, panelExpressions, variableQueries } from './expressions.ts';
import { type Observed, startObserved } from './start-observed.ts';

/** The metrics of a page, those parts of histograms that have names of their own included. */
function namesOn(page: string): string[] {
  return [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) =>
    type === 'histogram' || type === 'summary'
      ? ['_bucket', '_sum', '_count'].map((part) => name + part)
      : [name],
  );
}

/** The series of all scenarios: metric and labels, without those that a scrape adds. */
function scenarioSeries(): { metric: string; labels: string[] }[] {
  const texts = globSync('test/alerts/*.yaml', { cwd: root }).flatMap((file) => {
    const { tests } = parse(readText(file)) as { tests: { input_series: { series: string }[] }[] };
    return tests.flatMap(({ input_series }) => input_series.map(({ series }) => series));
  });
  return [...new Set(texts)].map((text) => {
    const labels = [...text.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
    return { metric: text.replace(/\{.*/, ''), labels: labels.sort() };
  });
}

describeWithTools(['redis-server', 'prometheus'], 'a Prometheus that scrapes Weir', () => {
  let observed: Observed;
  const query = (expression: string) => observed.prometheus.query(expression);
  beforeAll(async () => {
    observed = await startObserved();
  });
  afterAll(() => observed?.[Symbol.asyncDispose]());

  it('finds every metric that a panel, a variable or an alert names', async () => {
    const there = (await observed.pages()).flatMap(namesOn);
    const asked = [...alertExpressions(), ...panelExpressions()].map(({ text }) => text);
    const named = metricsIn([...asked, ...variableQueries()].join('\n'));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
  });

  it('evaluates every alert without an error', async () => {
    const evaluated = await waitUntil('each alert to be evaluated', async () => {
      const rules = await observed.prometheus.rules();
      return [...rules.values()].every((error) => !error.startsWith('unknown')) && rules;
    });
    const expected = readAlerts().map(({ alert }) => [alert, '']);
    expect(Object.fromEntries(evaluated)).toEqual(Object.fromEntries(expected));
  });

  it.each(panelExpressions())('has data for the panel "$of": $text', async ({ text }) => {
    await waitUntil('data', async () => {
      if ((await query(text)).length > 0) return true;
      await observed.call();
      return false;
    });
  });

  it.each(variableQueries())('has values to choose from: %s', async (definition) => {
    const [, series = '', label = ''] = /^label_values\((.*),(\w+)\)$/.exec(definition) ?? [];
    const found = await query(`group by (${label}) (${series.replaceAll(/\$\w+/g, '.*')})`);
    expect(found.map(({ metric }) => metric[label])).not.toContain(undefined);
    expect(found).not.toEqual([]);
  });

  it.each(scenarioSeries())('scenarios of alerts have the labels of $metric', async ({ metric, labels }) => {
    const real = await query(metric);
    const sets = real.map((sample) =>
      Object.keys(sample.metric)
        .filter((label) => label !== '__name__')
        .sort(),
    );
    expect(sets).toContainEqual(labels);
  });
});
