import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rows } from '../../../k8s/dashboard/dashboard.ts';
import { codeIn, readText, root, sectionOf } from '../repository/repository.ts';
import { readAlerts } from './alert-rules.ts';

const page = readText('docs/runbook.md');
const alerts = readAlerts().map(({ alert }) => alert);
const entries = [...page.matchAll(/^### (.+)$/gm)].map(([, title = '']) => title);
const panels = rows.flatMap((row) => row.panels.map(({ title }) => title));
const sources = globSync('src/**/*.ts', { cwd: root })
  .map((path) => readText(path))
  .join('\n');

/** Lines of an entry are broken where they are long. */
const joined = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('docs/runbook.md', () => {
  it('has an entry for each alert, in their order, and no other', () => {
    expect(entries).toEqual(alerts);
  });

  it.each(entries)('%s: what it means, where to look, causes, what to do, when to escalate', (entry) => {
    const parts = [...sectionOf(page, `### ${entry}`).matchAll(/^- \*\*(\w+)\*\*: /gm)];
    expect(parts.map(([, part]) => part)).toEqual(['Means', 'Look', 'Causes', 'Do', 'Escalate']);
  });

  it.each(entries)('%s: names panels that there are', (entry) => {
    const named = [...joined(sectionOf(page, `### ${entry}`)).matchAll(/(?<![*\w])\*([^*]+)\*(?![*\w])/g)];
    expect(named.map(([, panel]) => panel).filter((panel) => !panels.includes(panel ?? ''))).toEqual([]);
  });

  it.each(entries)('%s: quotes lines that are logged', (entry) => {
    const quoted = [...joined(sectionOf(page, `### ${entry}`)).matchAll(/"([^"]+)"/g)];
    expect(quoted.map(([, line = '']) => line).filter((line) => !sources.includes(line))).toEqual([]);
  });

  it('names variables that there are', () => {
    const named = codeIn(page).flatMap((code) => code.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []);
    const settings = readText('docs/settings.md');
    const words = ['OVER_LIMIT', 'INVALID_ARGUMENT', 'PERMISSION_DENIED'];
    expect(named.filter((name) => !settings.includes(`\`${name}\``) && !words.includes(name))).toEqual([]);
  });
});
