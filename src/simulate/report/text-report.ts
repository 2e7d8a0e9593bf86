import { comparedByWeight, rulesByWeight, shownRules } from './by-weight.ts';
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
import { countText, momentText, plural, shareText } from './in-words.ts';
import { linesText, remarks } from './remarks.ts';
import type { ComparisonReport, ConfigurationReport, SimulationReport, SubjectsReport } from './report.ts';
import { type TextRow, textTable, wrap } from './text-table.ts';

/** The report for people: 80 columns, but for names that are longer. */
export function textReport(report: SimulationReport): string {
  const { configurations, comparison } = report;
  const isCompared = configurations.length > 1;
  const sections = [
    logSection(report),
    ...configurations.map((one, index) => configurationSection(one, isCompared ? `${'AB'[index]}: ` : '')),
    ...(comparison === null ? [] : [comparisonSection(comparison)]),
  ];
  return sections.map((lines) => lines.join('\n')).join('\n\n');
}

function logSection(report: SimulationReport): readonly string[] {
  const { log } = report;
  const period =
    log.from === null || log.to === null ? [] : [`${momentText(log.from)} to ${momentText(log.to)}`];
  return [
    linesText(log),
    ...period,
    ...remarks(report).flatMap((remark) => wrap(`! ${remark}`)),
    ...log.firstBadLines.flatMap(({ line, message }) => wrap(`line ${line}: ${message}`, '  ')),
  ];
}

function configurationSection(report: ConfigurationReport, mark: string): readonly string[] {
  const { path, allowed, denied, failed, peak } = report;
  const all = allowed + denied + failed;
  const shares = `allowed ${countText(allowed)} (${shareText(allowed, all)}), denied ${countText(denied)} (${shareText(denied, all)})`;
  return [
    mark + path,
    ...wrap(shares, '  '),
    ...(peak === null
      ? []
      : [`  busiest second ${momentText(peak.at)}: ${plural(peak.perSecond, 'request')}`]),
    '',
    ...rulesLines(report),
    ...subjectsLines('Denied most', report.mostDenied),
  ];
}

function rulesLines({ rules, overrides }: ConfigurationReport): readonly string[] {
  const met = rulesByWeight(rules);
  const rows: TextRow[] = met
    .slice(0, shownRules)
    .map((rule) => ({ name: rule.rule, note: rule.limit, cells: figuresCells(rule) }));
  if (overrides !== null) rows.push({ name: '(limits of requests)', cells: figuresCells(overrides) });
  return [
    ...(rows.length === 0 ? [] : textTable(figuresHeads, rows)),
    ...leftOut(met.length),
    ...(met.length < rules.length ? [`Met by no request: ${plural(rules.length - met.length, 'rule')}`] : []),
  ];
}

function leftOut(count: number): readonly string[] {
  return count > shownRules
    ? [`... and ${plural(count - shownRules, 'rule')} more; --output json has all`]
    : [];
}

function subjectsLines(title: string, subjects: SubjectsReport): readonly string[] {
  if (subjects.first.length === 0) return [];
  const rows = subjects.first.map((subject) => {
    return { name: subject.descriptor, note: subjectRule(subject), cells: [subjectCount(subject, subjects)] };
  });
  const exactness = uncertaintyText(subjects);
  return ['', ...textTable([title, 'Denied'], rows), ...(exactness === undefined ? [] : [exactness])];
}

function comparisonSection({
  newlyDenied,
  newlyAllowed,
  ...comparison
}: ComparisonReport): readonly string[] {
  const met = comparedByWeight(comparison.rules);
  const rows = met.slice(0, shownRules).map((one) => {
    return { name: one.rule, note: comparedLimit(one), cells: comparedCells(one) };
  });
  return [
    'B against A',
    `  newly denied ${plural(newlyDenied, 'request')}, newly allowed ${countText(newlyAllowed)}`,
    '',
    ...(rows.length === 0 ? [] : textTable(comparedHeads, rows)),
    ...leftOut(met.length),
    ...subjectsLines('Newly denied most', comparison.mostNewlyDenied),
  ];
}
