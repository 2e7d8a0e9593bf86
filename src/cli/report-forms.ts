export const reportForms = ['text', 'json', 'html'] as const;

/** A form of a report: for people, for programs, for a browser. */
export type ReportForm = (typeof reportForms)[number];
