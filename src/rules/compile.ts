import { counterKeys } from '../domain/counter-key.ts';
import { type Octets, octetsOf } from '../domain/octets.ts';
import { type CompileDomainOptions, compileDomain } from './compile-domain.ts';
import type { ConfigIssue } from './issue.ts';
import type { Rule } from './rule.ts';
import type { DomainRules, RuleSet } from './rule-set.ts';
import type { RulesDocument } from './rules-document.ts';
import type { SensitiveOptions } from './sensitive.ts';
import { atOnce, type Steps } from './steps.ts';

export interface CompileOptions {
  /** Several documents may share a domain (MERGE_DOMAIN_CONFIG). */
  readonly mergeDomains: boolean;
  /** What every counter's key begins with (CACHE_KEY_PREFIX). */
  readonly keyPrefix: string;
  readonly version: string;
  /** Left out: there is no key, so that sensitive domains are refused. */
  readonly sensitive?: SensitiveOptions;
}

const noKey: SensitiveOptions = Object.freeze({ everywhere: false, keyedHash: undefined });

export interface CompileResult {
  /** undefined when documents were given and every domain of them is refused. No documents are a good, empty rule set. */
  readonly ruleSet: RuleSet | undefined;
  readonly issues: readonly ConfigIssue[];
}

/** Turns documents into rules. A domain with an error is left out; the others do not suffer from it. */
export function compileRules(documents: readonly RulesDocument[], options: CompileOptions): CompileResult {
  return atOnce(compileInSteps(documents, options));
}

/** The same for whoever has other things to do as well. */
export function* compileInSteps(
  documents: readonly RulesDocument[],
  options: CompileOptions,
): Steps<CompileResult> {
  const keys = counterKeys(octetsOf(options.keyPrefix));
  const { sensitive = noKey } = options;
  const issues: ConfigIssue[] = [];
  const domains = new Map<Octets, DomainRules>();
  const rules: Rule[] = [];
  for (const [name, sharing] of groupByDomain(documents)) {
    const compiled = yield* compileSharing(
      sharing,
      { keys, firstId: rules.length, mergeDomains: options.mergeDomains, sensitive },
      issues,
    );
    if (compiled === undefined) continue;
    domains.set(octetsOf(name), compiled);
    for (const rule of compiled.rules) rules.push(rule);
    yield; // domains may be many and small
  }
  if (documents.length > 0 && domains.size === 0) return { ruleSet: undefined, issues };
  return {
    ruleSet: Object.freeze({ version: options.version, domains, rules: Object.freeze(rules) }),
    issues,
  };
}

function groupByDomain(documents: readonly RulesDocument[]): Map<string, RulesDocument[]> {
  const grouped = new Map<string, RulesDocument[]>();
  for (const document of documents) {
    const sharing = grouped.get(document.domain);
    if (sharing === undefined) grouped.set(document.domain, [document]);
    else sharing.push(document);
  }
  return grouped;
}

function* compileSharing(
  sharing: readonly RulesDocument[],
  options: CompileDomainOptions & { readonly mergeDomains: boolean },
  issues: ConfigIssue[],
): Steps<DomainRules | undefined> {
  const [first, ...others] = sharing as [RulesDocument, ...RulesDocument[]];
  if (others.length > 0 && !options.mergeDomains) {
    for (const other of others) issues.push(declaredTwice(other, first));
    return undefined;
  }
  const found: ConfigIssue[] = [];
  const compiled = yield* compileDomain(sharing, options, found);
  for (const issue of found) issues.push(issue);
  return found.some((issue) => issue.severity === 'error') ? undefined : compiled;
}

function declaredTwice(document: RulesDocument, first: RulesDocument): ConfigIssue {
  return {
    severity: 'error',
    code: 'duplicate-domain',
    file: document.file,
    ...document.at,
    message:
      `domain '${document.domain}' is declared in ${first.file} too, so it is refused; ` +
      'put its rules into one file, or set MERGE_DOMAIN_CONFIG=true',
  };
}
