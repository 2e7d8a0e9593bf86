import { changeText, countText, shareText } from './in-words.ts';
import type { ComparedRule, FiguresReport, SubjectReport, SubjectsReport } from './report.ts';

/** The tables of a report for people: heads and cells, whatever draws them. The first column is a name. */
export const figuresHeads = ['Rule', 'Allowed', 'Denied', 'Share', 'Near', 'Fullest', 'Peak/s'];

/** Behind the rule's name. */
export function figuresCells(figures: FiguresReport): readonly string[] {
  const { allowed, denied, hits, nearLimitHits, fullestCounter, peak } = figures;
  return [
    countText(allowed),
    countText(denied),
    shareText(denied, allowed + denied),
    shareText(nearLimitHits, hits),
    shareText(fullestCounter, 1),
    countText(peak?.perSecond ?? 0),
  ];
}

export const comparedHeads = ['Rule', 'Allowed A', 'Allowed B', 'Denied A', 'Denied B', 'Change'];

/** Behind the rule's name; `-` where a configuration does not have it. */
export function comparedCells({ a, b, deniedChange }: ComparedRule): readonly string[] {
  const cell = (count: number | undefined) => (count === undefined ? '-' : countText(count));
  return [cell(a?.allowed), cell(b?.allowed), cell(a?.denied), cell(b?.denied), changeText(deniedChange)];
}

/** What a rule limits; both where they differ. */
export function comparedLimit({ a, b }: ComparedRule): string {
  if (a === null) return `only in B: ${b?.limit ?? ''}`;
  if (b === null) return `only in A: ${a.limit}`;
  return a.limit === b.limit ? a.limit : `${a.limit} -> ${b.limit}`;
}

/** The rule that denied somebody. */
export function subjectRule({ rule }: SubjectReport): string {
  return rule ?? 'limit of the request';
}

/** How often, with a mark where it may have been more. */
export function subjectCount({ denied }: SubjectReport, { uncertainty }: SubjectsReport): string {
  return `${countText(denied)}${uncertainty > 0 ? '+' : ''}`;
}

/** What the mark means; undefined where all numbers are exact. */
export function uncertaintyText({ uncertainty }: SubjectsReport): string | undefined {
  return uncertainty > 0 ? `+: or up to ${countText(uncertainty)} more` : undefined;
}
