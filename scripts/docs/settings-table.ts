import type { Variable } from '../../src/settings/variable.ts';
import { ownVariables, referencePatterns, referenceVariables } from '../../src/settings/variables.ts';
import { markdownTable } from './markdown-table.ts';

type Table = Readonly<Record<string, Variable<unknown>>>;

/** The reference's variables, in the order of the source. */
export function referenceSettingsTable(): string {
  const head = ['Variable', 'Class', 'Type', 'Default', 'Meaning', 'Difference or reason'];
  const all: Table = { ...(referenceVariables as Table), ...referencePatterns };
  return markdownTable(
    head,
    Object.entries(all).map(([name, variable]) => [
      code(name),
      variable.class,
      variable.type.name,
      defaultOf(variable),
      variable.meaning,
      sentence(variable.reason),
    ]),
  );
}

/** What becomes of each of the reference's variables, for those who move from it. */
export function migrationTable(): string {
  const all: Table = { ...(referenceVariables as Table), ...referencePatterns };
  return markdownTable(
    ['Variable', 'In Weir', 'What differs'],
    Object.entries(all).map(([name, variable]) => [code(name), fateOf(variable), sentence(variable.reason)]),
  );
}

function fateOf(variable: Variable<unknown>): string {
  if (variable.class !== 'honoured') return variable.class;
  return variable.reason === '' ? 'same' : 'honoured';
}

/** Weir's own variables. */
export function ownSettingsTable(): string {
  return markdownTable(
    ['Variable', 'Type', 'Default', 'Meaning', 'Why there is such a setting'],
    Object.entries(ownVariables as Table).map(([name, variable]) => [
      code(name),
      variable.type.name,
      defaultOf(variable),
      variable.meaning,
      sentence(variable.reason),
    ]),
  );
}

function defaultOf(variable: Variable<unknown>): string {
  const text = variable.type.format(variable.default);
  return text === '' ? '' : code(text);
}

function code(text: string): string {
  return `\`${text}\``;
}

/** These are written like that also at the beginning of a sentence. */
const lowerCaseNames = /^(statsd|memcached|xDS)\b/;

/** Reasons of variables without effect follow a colon in their warning; here they stand alone. */
function sentence(reason: string): string {
  if (reason === '') return '';
  const first = lowerCaseNames.test(reason) ? reason.charAt(0) : reason.charAt(0).toUpperCase();
  return `${first}${reason.slice(1)}${reason.endsWith('.') ? '' : '.'}`;
}
