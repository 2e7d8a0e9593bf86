import type { Clock } from '../domain/clock.ts';
import { octetsOf } from '../domain/octets.ts';
import { type CompileOptions, compileInSteps } from '../rules/compile.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import type { Apply, ApplyResult, Snapshot } from './config-source.ts';
import { inTurns } from './in-turns.ts';
import { isError, withBrokenFiles, withoutRefused } from './last-good.ts';

export interface ConfigLoaderOptions extends Omit<CompileOptions, 'version'> {
  readonly clock: Clock;
  /**
   * Called once for each load, after it: metrics, logs, health, the deny cache.
   * @param rules what is in force now; undefined when nothing ever was
   */
  readonly onLoad: (load: ConfigLoad, rules: RuleSet | undefined) => void;
}

/** What became of a snapshot that was looked at. */
export interface ConfigLoad {
  readonly result: Exclude<ApplyResult, { kind: 'unchanged' }>;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Turns snapshots into the rules in force. It knows nothing of where they come from. */
export interface ConfigLoader {
  readonly apply: Apply;
  /** The rules in force. A request takes them once and keeps them to its end. */
  current(): RuleSet | undefined;
}

/**
 * A bad update never replaces good rules, and the fault of one domain does not hold back the others:
 *
 * - A snapshot with an error and without any usable domain is rejected; everything stays as it was.
 * - Any other is applied. A file with an error keeps the document that it last had. A domain that can't be compiled
 *   (declared twice, a clash in a merge) keeps its last good rules; without any, it is left out.
 * - A snapshot without documents and without errors is good: no rule is in force then.
 * - Of a snapshot that counts as a whole only, one error is enough for a rejection, which names them all.
 * - A snapshot with the version of the last one is no load: nobody is told.
 */
export function createConfigLoader(options: ConfigLoaderOptions): ConfigLoader {
  const { clock, onLoad, ...compileOptions } = options;
  let rules: RuleSet | undefined;
  /** What `rules` was compiled from. */
  let documents: readonly RulesDocument[] = [];
  let last: ConfigLoad['result'] | undefined;

  const compile = (from: readonly RulesDocument[], version: string) =>
    inTurns(compileInSteps(from, { ...compileOptions, version }), clock);

  async function load(snapshot: Snapshot): Promise<ConfigLoad['result']> {
    const { version, wholeOnly = false } = snapshot;
    const candidates = wholeOnly
      ? snapshot.documents
      : withBrokenFiles(snapshot.documents, snapshot.issues, documents);
    const compiled = await compile(candidates, version);
    const issues = [...snapshot.issues, ...compiled.issues];
    const isUsable = ({ domain }: RulesDocument) => compiled.ruleSet?.domains.has(octetsOf(domain)) === true;
    if (issues.some(isError) && (wholeOnly || !snapshot.documents.some(isUsable)))
      return { kind: 'rejected', version, issues };

    const refused = new Set(candidates.filter((one) => !isUsable(one)).map(({ domain }) => domain));
    if (refused.size === 0) {
      documents = candidates;
      rules = compiled.ruleSet;
    } else {
      documents = withoutRefused(candidates, refused, documents);
      rules = (await compile(documents, version)).ruleSet;
    }
    return { kind: 'applied', version, issues };
  }

  async function apply(snapshot: Snapshot): Promise<ApplyResult> {
    if (last?.version === snapshot.version) {
      return last.kind === 'rejected' ? last : { kind: 'unchanged', version: snapshot.version };
    }
    const result = await load(snapshot);
    last = result;
    onLoad(Object.freeze({ result, at: clock.now() }), rules);
    return result;
  }

  return { apply, current: () => rules };
}
