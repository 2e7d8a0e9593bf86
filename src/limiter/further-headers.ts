import type { DescriptorStatus, Header } from '../domain/decision.ts';
import { limitFields } from '../domain/limit-fields.ts';
import type { DescriptorOutcome, LimitWarning } from './decision-event.ts';
import { mostWarned } from './judge-limits.ts';

export interface FurtherHeadersOptions {
  /** LIMIT_FIELDS_ENABLED: every limit that applied is listed. */
  readonly limitFields: boolean;
  /** LIMIT_WARNING_HEADER: the header that tells how much of a limit is used, where its rule has a `warn_at`. */
  readonly warningHeader: string;
}

const none: readonly Header[] = Object.freeze([]);

/** The headers beside those that describe one limit. What is in shadow mode never shows. */
export function furtherHeaders(
  outcomes: readonly DescriptorOutcome[],
  options: FurtherHeadersOptions,
): readonly Header[] {
  const warning = warningHeader(outcomes, options);
  const fields = options.limitFields ? limitFields(enforcedStatuses(outcomes)) : none;
  return warning === undefined ? fields : [...fields, warning];
}

function enforcedStatuses(outcomes: readonly DescriptorOutcome[]): readonly DescriptorStatus[] {
  return outcomes.filter((outcome) => !isShadow(outcome)).flatMap(({ limits, status }) => limits ?? [status]);
}

/** Of several warnings that of which most is used. */
function warningHeader(
  outcomes: readonly DescriptorOutcome[],
  { warningHeader: name }: FurtherHeadersOptions,
): Header | undefined {
  if (!isWarned(outcomes)) return undefined;
  const most = mostWarned(outcomes.filter((outcome) => !isShadow(outcome)));
  return most === undefined ? undefined : { name, value: textOf(most) };
}

/** Hardly ever. */
function isWarned(outcomes: readonly DescriptorOutcome[]): boolean {
  for (let index = 0; index < outcomes.length; index++) {
    if (outcomes[index]?.warning !== undefined) return true;
  }
  return false;
}

function isShadow({ rule }: DescriptorOutcome): boolean {
  return rule?.shadowMode === true;
}

/** A dictionary of structured fields (RFC 9651). */
function textOf({ share, used, capacity, secondsUntilReset }: LimitWarning): string {
  return `at=${share}, used=${used}, limit=${capacity}, reset=${secondsUntilReset}`;
}
