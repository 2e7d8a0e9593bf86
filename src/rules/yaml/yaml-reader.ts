import { type CST, Lexer, Parser } from 'yaml';
import { shorten } from '../parse/shorten.ts';
import { composeDocument } from './yaml-compose.ts';
import type { ReportProblem, YamlNode, YamlProblem } from './yaml-node.ts';

/** The first document of a file. */
export interface YamlFile {
  /** undefined when there is a problem of severity error, or no document. */
  readonly root: YamlNode | undefined;
  /** Faults of the YAML. After {@link maxProblems} of them reading ends: each fault tends to cause the next. */
  readonly problems: readonly YamlProblem[];
  /** Where a second document begins, which is not read. */
  readonly secondDocument: number | undefined;
}

/** Collections in each other. The reference gives up at ten thousand; no configuration comes near. */
export const maxNesting = 1_000;
export const maxProblems = 10;

/** Ends reading; the problems so far are what is reported. */
class StopReading extends Error {}

/**
 * Reads the first document of a YAML 1.1 text into nodes. Work and memory are linear in the text: tokens come one by
 * one, nesting is bounded while they come, and nothing is expanded.
 */
export function readYaml(text: string): YamlFile {
  const problems: YamlProblem[] = [];
  const report: ReportProblem = (code, offset, message) => {
    problems.push({ code, offset, message });
    if (code === 'nesting' || problems.length >= maxProblems) throw new StopReading();
  };
  let root: YamlNode | undefined;
  let secondDocument: number | undefined;
  try {
    const { document, end } = parseFirstDocument(text, report);
    if (document !== undefined) root = composeDocument(document, report);
    secondDocument = findSecondDocument(text, end);
  } catch (error) {
    if (!(error instanceof StopReading)) throw error;
  }
  // An unknown alias leaves the structure clear, so the rest is worth checking.
  const isClear = problems.every((problem) => problem.code === 'unknown-alias');
  return isClear
    ? { root, problems, secondDocument }
    : { root: undefined, problems, secondDocument: undefined };
}

interface FirstDocument {
  readonly document: CST.Document | undefined;
  readonly end: number;
}

function parseFirstDocument(text: string, report: ReportProblem): FirstDocument {
  const parser = new Parser();
  const directives: CST.Directive[] = [];
  let document: CST.Document | undefined;
  let end = text.length;
  const take = (token: CST.Token): void => {
    if (token.type === 'error') report('yaml-syntax', token.offset, `unexpected '${shorten(token.source)}'`);
    else if (token.type === 'directive') directives.push(token);
    else if (token.type === 'document') document ??= token;
  };
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    for (const token of parser.next(lexeme)) take(token);
    if (document !== undefined) {
      end = offset;
      break;
    }
    if (parser.stack.length > maxNesting + 2) {
      report('nesting', parser.offset, `more than ${maxNesting} levels of nesting`);
    }
  }
  if (document === undefined) for (const token of parser.end()) take(token);
  checkDirectives(directives, document, report);
  return { document, end };
}

/** The reference reads YAML 1.1 and refuses to guess at any other version. */
function checkDirectives(
  directives: readonly CST.Directive[],
  document: CST.Document | undefined,
  report: ReportProblem,
): void {
  let versions = 0;
  for (const { source, offset } of directives) {
    const [name, ...values] = source.trim().split(/[ \t]+/);
    if (name === '%YAML') {
      versions += 1;
      if (values[0] !== '1.1')
        report(
          'yaml-version',
          offset,
          `YAML 1.1 is read, not '${shorten(values.join(' '))}'; leave this line out`,
        );
      else if (versions > 1 || values.length > 1)
        report('yaml-syntax', offset, 'a %YAML line names one version, once');
    } else if (name !== '%TAG') {
      report('yaml-syntax', offset, `unknown directive '${shorten(name ?? '')}'`);
    }
  }
  const first = directives[0];
  if (first === undefined) return;
  const hasStart = document?.start.some((token) => token.type === 'doc-start');
  if (hasStart !== true)
    report('yaml-syntax', first.offset, "'---' is missing after a line that begins with %");
}

/** A line with more than a marker, a comment or a directive. */
const content = /^(?!(?:---|\.\.\.)[ \t]*(?:#.*)?$)[ \t]*[^\s#%]/m;

/** Where another document begins behind the end of the first. */
function findSecondDocument(text: string, end: number): number | undefined {
  const at = text.slice(end).search(content);
  return at < 0 ? undefined : end + at;
}
