import { rulesByWeight, shownRules } from './by-weight.ts';
import { pageStyle } from './html-style.ts';
import { comparedTable, rulesTable, subjectsTable } from './html-tables.ts';
import { countText, momentText, plural, shareText } from './in-words.ts';
import { html, type Markup } from './markup.ts';
import { linesText, remarks } from './remarks.ts';
import type { ComparisonReport, ConfigurationReport, SimulationReport } from './report.ts';
import { linesPlot, stackedPlot } from './svg-plot.ts';

/** Rules that get a plot of their own. */
const plottedRules = 12;

/** The report as one page that needs nothing else: no network, no script. Its policy says so to the browser. */
export function htmlReport(report: SimulationReport): string {
  const { log, configurations, comparison } = report;
  const period =
    log.from === null || log.to === null ? '' : `, ${momentText(log.from)} to ${momentText(log.to)}`;
  const isCompared = configurations.length > 1;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Weir: a log replayed</title>
<style>${pageStyle}</style>
</head>
<body>
<h1>${plural(log.requests, 'request')} replayed</h1>
<p>${linesText(log)}${period}</p>
${remarks(report).map((remark) => html`<p class="remark">${remark}</p>\n`)}
${badLines(report)}
${comparison === null ? [] : comparisonSection(comparison, configurations)}
${configurations.map((one, index) => configurationSection(one, isCompared ? `${'AB'[index]}: ` : ''))}
</body>
</html>`.markup;
}

function badLines({ log }: SimulationReport): Markup | readonly Markup[] {
  if (log.firstBadLines.length === 0) return [];
  const items = log.firstBadLines.map(
    ({ line, message }) => html`<li>line ${countText(line)}: ${message}</li>\n`,
  );
  return html`<ul>${items}</ul>`;
}

function configurationSection(report: ConfigurationReport, mark: string): Markup {
  const { path, allowed, denied, failed, peak, rules } = report;
  const all = allowed + denied + failed;
  const met = rulesByWeight(rules);
  return html`<h2>${mark}${path}</h2>
<p><span class="key key-a">allowed ${countText(allowed)} (${shareText(allowed, all)})</span>,
<span class="key key-b">denied ${countText(denied)} (${shareText(denied, all)})</span>${peak === null ? '' : `; busiest second ${momentText(peak.at)} with ${plural(peak.perSecond, 'request')}`}</p>
${stackedPlot(report.timeline, 200)}
${rulesTable(met.slice(0, shownRules), report.overrides)}
<p class="quiet">${restText(met.length, rules.length)}</p>
${subjectsTable('Denied most', report.mostDenied)}
${met.slice(0, plottedRules).map(
  (rule) => html`<h3>${rule.rule} <span class="quiet">${rule.limit}</span></h3>
${stackedPlot(rule.timeline, 110)}
`,
)}`;
}

function restText(met: number, all: number): string {
  const more =
    met > shownRules ? `${plural(met - shownRules, 'rule')} more met requests; JSON has all. ` : '';
  return met < all ? `${more}Met by no request: ${plural(all - met, 'rule')}.` : more;
}

function comparisonSection(
  comparison: ComparisonReport,
  [a, b]: readonly ConfigurationReport[],
): Markup | readonly Markup[] {
  if (a === undefined || b === undefined) return [];
  return html`<h2>B against A</h2>
<p>Newly denied ${plural(comparison.newlyDenied, 'request')}, newly allowed ${countText(comparison.newlyAllowed)}</p>
<p><span class="key key-a">denied by A: ${a.path}</span> <span class="key key-b">denied by B: ${b.path}</span></p>
${linesPlot(a.timeline, b.timeline, 200)}
${comparedTable(comparison)}
${subjectsTable('Newly denied most', comparison.mostNewlyDenied)}`;
}
