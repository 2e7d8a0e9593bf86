import { htmlReport } from '../simulate/report/html-report.ts';
import type { SimulationReport } from '../simulate/report/report.ts';
import { textReport } from '../simulate/report/text-report.ts';
import type { ReportForm } from './report-forms.ts';

const writers: Readonly<Record<ReportForm, (report: SimulationReport) => string>> = {
  text: textReport,
  json: (report) => JSON.stringify(report),
  html: htmlReport,
};

/** The report of `weir simulate` in the form that is asked for, without a line end. */
export function reportText(report: SimulationReport, form: ReportForm): string {
  return writers[form](report);
}
