import { comparableName } from '../domain/caller.ts';
import type { CounterKeys } from '../domain/counter-key.ts';
import type { FailurePolicy } from '../domain/failure-policy.ts';
import type { KeyedHash } from '../domain/keyed-hash.ts';
import { type Octets, octetsOf } from '../domain/octets.ts';
import { compileRule } from './compile-rule.ts';
import { compileExemptions } from './exemptions/exemptions.ts';
import type { ConfigIssue } from './issue.ts';
import { mergeDomainOptions } from './merge-domain-options.ts';
import { createCountedAs } from './networks/counted-as.ts';
import { indexRules, type NetworkRule } from './networks/index-rules.ts';
import { networksText } from './networks/networks-text.ts';
import { overrideKey } from './override-key.ts';
import { isPattern, type Pattern, parsePattern } from './patterns/pattern.ts';
import { findPatternFault } from './patterns/pattern-bounds.ts';
import { createPatternIndex } from './patterns/pattern-index.ts';
import { declaredTwice, type PlacedRule, placeAll, placedInStep } from './placed-rule.ts';
import type { Rule, RuleLevel } from './rule.ts';
import type { KeyNode, RuleNode } from './rule-node.ts';
import type { DomainRules } from './rule-set.ts';
import type { RuleDocument, RulesDocument } from './rules-document.ts';
import { findSensitive, hashOfKeys, type SensitiveOptions, withoutKey } from './sensitive.ts';
import type { Steps } from './steps.ts';

/** What a rule has from those above it. */
interface Above {
  readonly levels: readonly RuleLevel[];
  readonly failurePolicy: FailurePolicy | undefined;
  readonly keyedHash: KeyedHash | undefined;
}

export interface CompileDomainOptions {
  readonly keys: CounterKeys;
  /** Id of the first rule of this domain. */
  readonly firstId: number;
  readonly sensitive: SensitiveOptions;
}

const noChildren: ReadonlyMap<Octets, KeyNode> = new Map();

/** Rules that are compiled between two steps: some hundred microseconds. */
const rulesInStep = 50;

/** One domain's tree, from the documents that share it. Errors are added to `issues`; the result is then incomplete. */
export function* compileDomain(
  documents: readonly RulesDocument[],
  options: CompileDomainOptions,
  issues: ConfigIssue[],
): Steps<DomainRules> {
  const domain = octetsOf((documents[0] as RulesDocument).domain);
  const domainOptions = mergeDomainOptions(documents, issues);
  const { everywhere } = options.sensitive;
  const keyedHash = keyedHashFor(documents, options.sensitive, issues);
  const isAllSensitive = everywhere || domainOptions.sensitive === true;
  const rules: Rule[] = [];
  let compiled = 0;

  function* compileLevel(placed: readonly PlacedRule[], above: Above): Steps<ReadonlyMap<Octets, KeyNode>> {
    if (placed.length === 0) return noChildren;
    const byKey = new Map<Octets, PlacedRule[]>();
    let grouped = 0;
    for (const one of placed) {
      grouped += 1;
      if (grouped % placedInStep === 0) yield;
      const key = octetsOf(one.document.key);
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [one]);
      else same.push(one);
    }
    const level = new Map<Octets, KeyNode>();
    for (const [key, same] of byKey) level.set(key, yield* compileKey(same, above));
    return level;
  }

  function* compileKey(placed: readonly PlacedRule[], above: Above): Steps<KeyNode> {
    const exact = new Map<Octets, RuleNode>();
    const patterns: Pattern<RuleNode>[] = [];
    const networks: NetworkRule[] = [];
    let keyOnly: RuleNode | undefined;
    const taken = new Map<string, PlacedRule>();
    for (const one of placed) {
      const { value, cidrs } = one.document;
      if (cidrs.length > 0) {
        networks.push({ placed: one, node: yield* compileNode(one, above) });
        continue;
      }
      const first = taken.get(value);
      if (first !== undefined) {
        issues.push(declaredTwice(one, first));
        continue;
      }
      taken.set(value, one);
      const node = yield* compileNode(one, above);
      if (value === '') keyOnly = node;
      else if (isPattern(value)) patterns.push(parsePattern(octetsOf(value), patterns.length, node));
      else exact.set(octetsOf(value), node);
    }
    checkPatterns(patterns, placed, issues);
    return Object.freeze({
      exact,
      patterns: patterns.length === 0 ? undefined : createPatternIndex(patterns),
      networks: yield* indexRules(networks, issues),
      keyOnly,
    });
  }

  function* compileNode({ document, file }: PlacedRule, above: Above): Steps<RuleNode> {
    compiled += 1;
    if (compiled % rulesInStep === 0) yield;
    const levelHash = document.sensitive ? keyedHash : above.keyedHash;
    const levels = Object.freeze([...above.levels, levelOf(document, levelHash)]);
    const failurePolicy = document.failurePolicy ?? above.failurePolicy;
    const limited = document.rateLimits;
    let rule: Rule | undefined;
    if (limited.length > 0) {
      const place = { id: options.firstId + rules.length, domain, levels, file, failurePolicy };
      rule = compileRule(document, limited, place, options.keys);
      rules.push(rule);
    }
    const placed = document.descriptors.map((below) => ({ document: below, file }));
    return Object.freeze({
      rule,
      children: yield* compileLevel(placed, { levels, failurePolicy, keyedHash: levelHash }),
    });
  }

  const top = yield* placeAll(documents);
  const { failurePolicy } = domainOptions;
  const above = { levels: [], failurePolicy, keyedHash: isAllSensitive ? keyedHash : undefined };
  const root = Object.freeze({ rule: undefined, children: yield* compileLevel(top, above) });
  const hashOfKey = keyedHash && hashOfKeys(documents, isAllSensitive, keyedHash);
  return Object.freeze({
    domain,
    options: domainOptions,
    clients: domainOptions.clients && new Set(domainOptions.clients.map(comparableName)),
    exemptions: yield* compileExemptions(documents),
    files: Object.freeze(documents.map(({ file }) => file)),
    root,
    rules: Object.freeze(rules),
    hashOfKey,
    overrideKey: overrideKey(domain, options.keys, hashOfKey),
  });
}

/** The hash for the domain's sensitive values; undefined where it has none, and where there is no key for it. */
function keyedHashFor(
  documents: readonly RulesDocument[],
  { everywhere, keyedHash }: SensitiveOptions,
  issues: ConfigIssue[],
): KeyedHash | undefined {
  const place = findSensitive(documents, everywhere);
  if (place !== undefined && keyedHash === undefined) issues.push(withoutKey('error', place));
  return place === undefined ? undefined : keyedHash;
}

function levelOf(document: RuleDocument, keyedHash: KeyedHash | undefined): RuleLevel {
  const { value, cidrs, aggregate } = document;
  const hasNetworks = cidrs.length > 0;
  return Object.freeze({
    key: document.key,
    value: hasNetworks ? networksText(cidrs) : value,
    isPattern: isPattern(value),
    cidrs,
    aggregate,
    countedAs: hasNetworks || aggregate !== undefined ? createCountedAs(aggregate) : undefined,
    valueToMetric: document.valueToMetric,
    shareThreshold: document.shareThreshold,
    keyedHash,
  });
}

function checkPatterns(
  patterns: readonly Pattern<RuleNode>[],
  placed: readonly PlacedRule[],
  issues: ConfigIssue[],
): void {
  const fault = findPatternFault(patterns);
  if (fault === undefined) return;
  const at =
    placed.find(({ document }) => octetsOf(document.value) === fault.pattern) ?? (placed[0] as PlacedRule);
  issues.push({
    severity: 'error',
    code: 'patterns-too-costly',
    file: at.file,
    ...at.document.at,
    message: `${fault.reason}, and each value would be compared with all of them; give them longer literal beginnings`,
  });
}
