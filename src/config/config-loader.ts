import type { Clock } from '../domain/clock.ts';
import { type CompileOptions, compileInSteps } from '../rules/compile.ts';
import type { ConfigIssue } from '../rules/issue.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Apply, ApplyResult, Snapshot } from './config-source.ts';
import { contentsVersion } from './contents-version.ts';
import { inTurns } from './in-turns.ts';
import { documentsThatCount, type SourceDocuments } from './overridden.ts';
import { type Compile, createSourceRules, type GoodRules, type SourceRules } from './source-rules.ts';

export interface ConfigLoaderOptions extends Omit<CompileOptions, 'version'> {
  readonly clock: Clock;
  /** Names of the sources. A domain that several have is that of the last. One source without a name unless given. */
  readonly sources?: readonly string[];
  /**
   * Called once for each load, after it: metrics, logs, health, the deny cache.
   * @param rules what is in force now; undefined when nothing ever was
   */
  readonly onLoad: (load: ConfigLoad, rules: RuleSet | undefined) => void;
}

/** What became of a snapshot that was looked at. */
export interface ConfigLoad {
  readonly source: string;
  readonly result: Exclude<ApplyResult, { kind: 'unchanged' }>;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** What is wrong with it, and with other sources because of it. */
  readonly news: readonly ConfigIssue[];
  /** All that is to be said of all sources now. */
  readonly issues: readonly ConfigIssue[];
  /** Sources that have not had anything good yet. */
  readonly missing: readonly string[];
}

/** Turns snapshots into the rules in force. It knows nothing of where they come from. */
export interface ConfigLoader {
  /** That of the first source. */
  readonly apply: Apply;
  /** Takes the snapshots of the source with this name. */
  applyOf(source: string): Apply;
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
 *
 * All this is so for each source by itself. Then a domain that several sources have is that of the last of them, with all
 * its rules; when it is gone there, that of the one before is in force again.
 */
export function createConfigLoader(options: ConfigLoaderOptions): ConfigLoader {
  const { clock, onLoad, sources = [''], ...compileOptions } = options;
  const compile: Compile = (from, version) =>
    inTurns(compileInSteps(from, { ...compileOptions, version }), clock);
  const rulesOf = new Map<string, SourceRules>(sources.map((name) => [name, createSourceRules(compile)]));
  const issuesOf = new Map<string, readonly ConfigIssue[]>();
  let inForce: InForce = { rules: undefined, overridden: [] };
  /** One snapshot at a time, of whatever source. */
  let turn: Promise<unknown> = Promise.resolve();

  async function load(source: string, own: SourceRules, snapshot: Snapshot): Promise<ApplyResult> {
    const { result, isNew } = await own.take(snapshot);
    if (!isNew || result.kind === 'unchanged') return result;
    issuesOf.set(source, result.issues);
    const before = new Set(inForce.overridden.map(({ message }) => message));
    if (result.kind === 'applied') inForce = await combine(goodRules(rulesOf), compile);
    const { rules, overridden } = inForce;
    const issues = [...[...issuesOf.values()].flat(), ...overridden];
    const news = [...result.issues, ...overridden.filter(({ message }) => !before.has(message))];
    const missing = sources.filter((name) => rulesOf.get(name)?.good() === undefined);
    onLoad(Object.freeze({ source, result, at: clock.now(), news, issues, missing }), rules);
    return result;
  }

  function applyOf(source: string): Apply {
    const own = rulesOf.get(source);
    if (own === undefined) throw new Error(`no source is called '${source}'`);
    return (snapshot) => {
      const applied = turn.then(() => load(source, own, snapshot));
      turn = applied.catch(() => {});
      return applied;
    };
  }

  return { apply: applyOf(sources[0] ?? ''), applyOf, current: () => inForce.rules };
}

interface InForce {
  readonly rules: RuleSet | undefined;
  /** About documents that another source's domain hides. */
  readonly overridden: readonly ConfigIssue[];
}

type NamedRules = SourceDocuments & GoodRules;

function goodRules(rulesOf: ReadonlyMap<string, SourceRules>): NamedRules[] {
  return [...rulesOf].flatMap(([source, one]) => {
    const good = one.good();
    return good === undefined ? [] : [{ source, ...good }];
  });
}

async function combine(good: readonly NamedRules[], compile: Compile): Promise<InForce> {
  if (good.length <= 1) return { rules: good[0]?.rules, overridden: [] };
  const { documents, issues } = documentsThatCount(good);
  return { rules: (await compile(documents, versionOf(good))).ruleSet, overridden: issues };
}

/** Replicas with the same rules have the same version, whatever came first. */
function versionOf(sources: readonly NamedRules[]): string {
  return contentsVersion(sources.map(({ source, rules }) => [source, rules.version]));
}
