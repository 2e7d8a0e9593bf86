import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWithTools } from '../../support/describe-with-tools.ts';
import { requireTool } from '../../support/tools.ts';
import { readText, root } from '../repository/repository.ts';
import { alertsFile, readAlerts } from './alert-rules.ts';

/** A file of `promtool test rules`. */
interface ScenarioFile {
  readonly tests: readonly {
    readonly name: string;
    readonly input_series: readonly object[];
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
}

const run = promisify(execFile);
const alerts = readAlerts();
const files = globSync('test/alerts/*.yaml', { cwd: root }).sort();

describeWithTools(['promtool'], 'the alerts', () => {
  const promtool = (...args: string[]) => run(requireTool('promtool'), args, { cwd: root });

  it('are rules of Prometheus', async () => {
    const { stdout } = await promtool('check', 'rules', alertsFile);
    expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it.each(files)('%s: fires, and is quiet', async (file) => {
    // A scenario that goes wrong ends with 1 and says which.
    await promtool('test', 'rules', join(root, file));
  });
});

describe('the scenarios of alerts', () => {
  it('are a file for each alert, and no other', () => {
    expect(files.map((file) => basename(file, '.yaml'))).toEqual(alerts.map(({ alert }) => alert).sort());
  });

  it.each(files)('%s: first one in which it fires, and some with series in which it does not', (file) => {
    const { tests } = parse(readText(file)) as ScenarioFile;
    const outcomes = tests.map(({ input_series: series, alert_rule_test: checks }) => {
      expect(series).not.toEqual([]);
      expect(checks.map(({ alertname }) => alertname)).toEqual([basename(file, '.yaml')]);
      return checks.flatMap((check) => check.exp_alerts).length > 0;
    });
    expect(outcomes[0]).toBe(true);
    expect(outcomes).toContain(false);
  });
});

describe('each alert', () => {
  it.each(alerts)('$alert says how bad it is, what is wrong, and where to read on', ({ alert, ...rule }) => {
    expect(['critical', 'warning', 'info']).toContain(rule.labels.severity);
    expect(Object.keys(rule.annotations)).toEqual(['summary', 'description', 'runbook_url']);
    expect(rule.annotations['runbook_url']).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(rule.for).toMatch(/^\d+[mh]$/);
  });
});
