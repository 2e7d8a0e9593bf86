import { comparedByWeight, shownRules } from './by-weight.ts';
import {
  comparedCells,
  comparedHeads,
  comparedLimit,
  figuresCells,
  figuresHeads,
  subjectCount,
  subjectRule,
  uncertaintyText,
} from './cells.ts';
import { html, type Markup } from './markup.ts';
import type { ComparisonReport, FiguresReport, RuleReport, SubjectsReport } from './report.ts';

interface Row {
  readonly name: string;
  /** Below the name, and quieter. */
  readonly note: string;
  readonly cells: readonly string[];
}

export function rulesTable(rules: readonly RuleReport[], overrides: FiguresReport | null): Markup {
  const rows = rules.map((rule): Row => ({ name: rule.rule, note: rule.limit, cells: figuresCells(rule) }));
  if (overrides !== null) rows.push({ name: 'Limits of requests', note: '', cells: figuresCells(overrides) });
  return table(figuresHeads, rows);
}

export function comparedTable({ rules }: ComparisonReport): Markup {
  const rows = comparedByWeight(rules).slice(0, shownRules);
  return table(
    comparedHeads,
    rows.map((one) => ({ name: one.rule, note: comparedLimit(one), cells: comparedCells(one) })),
  );
}

export function subjectsTable(title: string, subjects: SubjectsReport): Markup | readonly Markup[] {
  if (subjects.first.length === 0) return [];
  const rows = subjects.first.map((subject) => {
    return { name: subject.descriptor, note: subjectRule(subject), cells: [subjectCount(subject, subjects)] };
  });
  return html`${table([title, 'Denied'], rows)}<p class="quiet">${uncertaintyText(subjects) ?? ''}</p>`;
}

function table(heads: readonly string[], rows: readonly Row[]): Markup {
  return html`<div class="scroll"><table>
<tr>${heads.map((head) => html`<th>${head}</th>`)}</tr>
${rows.map(
  ({ name, note, cells }) =>
    html`<tr><td>${name}<br><span class="quiet">${note}</span></td>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
)}</table></div>
`;
}
