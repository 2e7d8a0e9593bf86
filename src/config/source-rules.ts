import { octetsOf } from '../domain/octets.ts';
import type { CompileResult } from '../rules/compile.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { RulesDocument } from '../rules/rules-document.ts';
import type { ApplyResult, Snapshot } from './config-source.ts';
import { heldBackOf, isError, withBrokenFiles, withoutRefused } from './last-good.ts';

/** What of a source is good: its last good rules, and what was last said of it. */
export interface SourceRules {
  /** One call at a time. `unchanged` is about a snapshot with the version of the last one, unless that was rejected. */
  take(snapshot: Snapshot): Promise<Taken>;
  /** undefined before the first snapshot that was good. */
  good(): GoodRules | undefined;
}

export interface Taken {
  readonly result: ApplyResult;
  /** false: it is what was taken last. */
  readonly isNew: boolean;
}

export interface GoodRules {
  /** What `rules` was compiled from. */
  readonly documents: readonly RulesDocument[];
  readonly rules: RuleSet;
}

export type Compile = (documents: readonly RulesDocument[], version: string) => Promise<CompileResult>;

/** The rules of one source. See `createConfigLoader` for what is kept of a snapshot with errors. */
export function createSourceRules(compile: Compile): SourceRules {
  let good: GoodRules | undefined;
  let last: Exclude<ApplyResult, { kind: 'unchanged' }> | undefined;

  async function load(snapshot: Snapshot): Promise<NonNullable<typeof last>> {
    const { version, wholeOnly = false } = snapshot;
    const earlier = good?.documents ?? [];
    const candidates = wholeOnly
      ? snapshot.documents
      : withBrokenFiles(snapshot.documents, snapshot.issues, earlier);
    const compiled = await compile(candidates, version);
    const issues = [...snapshot.issues, ...compiled.issues];
    const isUsable = ({ domain }: RulesDocument) => compiled.ruleSet?.domains.has(octetsOf(domain)) === true;
    if (issues.some(isError) && (wholeOnly || !snapshot.documents.some(isUsable)))
      return { kind: 'rejected', version, issues };

    const refused = new Set(candidates.filter((one) => !isUsable(one)).map(({ domain }) => domain));
    const documents = refused.size === 0 ? candidates : withoutRefused(candidates, refused, earlier);
    const { ruleSet } = refused.size === 0 ? compiled : await compile(documents, version);
    if (ruleSet !== undefined) good = { documents, rules: ruleSet };
    return { kind: 'applied', version, issues, heldBack: heldBackOf(snapshot, good?.documents ?? []) };
  }

  async function take(snapshot: Snapshot): Promise<Taken> {
    if (last?.version === snapshot.version) {
      const { version } = snapshot;
      return { result: last.kind === 'rejected' ? last : { kind: 'unchanged', version }, isNew: false };
    }
    last = await load(snapshot);
    return { result: last, isNew: true };
  }

  return { take, good: () => good };
}
