import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dashboardText, rows } from '../k8s/dashboard/dashboard.ts';
import { dashboardFile } from './gen-dashboard.ts';

interface PlacedPanel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const { panels } = JSON.parse(dashboardText()) as { readonly panels: readonly PlacedPanel[] };

function overlap({ gridPos: a }: PlacedPanel, { gridPos: b }: PlacedPanel): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

describe('the dashboard', () => {
  it('is what `npm run gen` makes of it', () => {
    expect(readFileSync(dashboardFile, 'utf8')).toBe(dashboardText());
  });

  it('has a place for each panel, and no two in one', () => {
    const wanted = rows.flatMap((row) => [row.title, ...row.panels.map(({ title }) => title)]);
    expect(panels.map(({ title }) => title)).toEqual(wanted);
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    const shared = panels.flatMap((one) =>
      panels.filter((other) => other.id > one.id && overlap(one, other)),
    );
    expect(shared).toEqual([]);
  });

  it('has no title twice, so that the runbook can name a panel', () => {
    const titles = panels.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});
