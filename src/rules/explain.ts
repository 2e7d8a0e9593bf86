import type { Descriptor, Entry } from '../domain/descriptor.ts';
import { networkText } from '../domain/ip-network.ts';
import { type Octets, textOf } from '../domain/octets.ts';
import { nearestWord } from './nearest-word.ts';
import { requestAddress } from './networks/request-address.ts';
import { placeName } from './place-name.ts';
import type { Rule } from './rule.ts';
import type { KeyNode, RuleNode } from './rule-node.ts';
import type { RuleSet } from './rule-set.ts';
import { type ShownValue, shownValues } from './shown-values.ts';

/** How a descriptor went through the rules, step by step, and why it found none. For people: `weir explain`, logs. */
export interface Explanation {
  readonly domainKnown: boolean;
  /** One for each entry that was looked at. */
  readonly steps: readonly ExplainStep[];
  readonly rule: Rule | undefined;
  /** How many entries led further. */
  readonly matched: number;
  /** One sentence: the rule, or why there is none and what comes nearest. */
  readonly summary: string;
}

export interface ExplainStep {
  readonly entry: Entry;
  /** In the order of trying; at most {@link maxNamed} patterns, and rules with networks, are named. */
  readonly attempts: readonly Attempt[];
}

export interface Attempt {
  readonly how: 'exact value' | 'pattern' | 'network' | 'key alone' | 'key';
  /** The rule's key and value. */
  readonly text: string;
  readonly matched: boolean;
}

const maxNamed = 10;

/** For logs: why a descriptor has no rule. The sentence has no value that must not be seen. */
export function explainUnmatched(rules: RuleSet, domain: Octets, descriptor: Descriptor): string {
  const shown = shownValues(rules.domains.get(domain), undefined);
  return explainMatch(rules, domain, descriptor, shown).summary;
}

/**
 * The same walk as `match`, recorded.
 * @param shown how the summary shows a value; as it is unless given. The steps always have what was asked
 */
export function explainMatch(
  rules: RuleSet,
  domain: Octets,
  descriptor: Descriptor,
  shown: ShownValue = ({ value }) => value,
): Explanation {
  const domainRules = rules.domains.get(domain);
  if (domainRules === undefined) return unknownDomain(rules, domain);
  const steps: ExplainStep[] = [];
  let node: RuleNode = domainRules.root;
  for (const entry of descriptor.entries) {
    const step = explainStep(node, entry);
    steps.push({ entry, attempts: step.attempts });
    if (step.next === undefined) {
      const position = steps.length - 1;
      const value = textOf(shown(entry, position));
      const why = missing(node, entry, value);
      return finish(steps, undefined, `matched ${position} of ${count(descriptor.entries)}; ${why}`);
    }
    node = step.next;
  }
  return finish(steps, node.rule, summarize(node, descriptor));
}

function finish(steps: readonly ExplainStep[], rule: Rule | undefined, summary: string): Explanation {
  const matched = steps.filter(({ attempts }) => attempts.some((attempt) => attempt.matched)).length;
  return { domainKnown: true, steps, rule, matched, summary };
}

function unknownDomain(rules: RuleSet, domain: Octets): Explanation {
  const name = textOf(domain);
  const near = nearestWord(name, names(rules.domains.keys()));
  const hint = near === undefined ? '' : `; did you mean '${near}'?`;
  return {
    domainKnown: false,
    steps: [],
    rule: undefined,
    matched: 0,
    summary: `no rules for domain '${name}'${hint}`,
  };
}

function summarize(node: RuleNode, { entries }: Descriptor): string {
  if (entries.length === 0) return 'a descriptor without entries matches nothing';
  const { rule, children } = node;
  if (rule !== undefined) return `rule ${rule.path} (${declaredAt(rule)})`;
  const below = [...names(children.keys())].slice(0, 3).join(', ');
  const longer = below === '' ? '' : `; rules go on below it with ${below}`;
  return `matched ${count(entries)}, but no limit is set there${longer}`;
}

function declaredAt({ file, at }: Rule): string {
  return at.path === undefined ? `${file}:${at.line}` : placeName(file, at);
}

function missing(node: RuleNode, entry: Entry, value: string): string {
  const key = textOf(entry.key);
  const level = node.children.get(entry.key);
  if (level !== undefined) return `key '${key}' has no rule for value '${value}'`;
  if (node.children.size === 0) return `no rules go deeper for key '${key}'`;
  const near = nearestWord(key, names(node.children.keys()));
  return `no rule has key '${key}' there${near === undefined ? '' : `; did you mean '${near}'?`}`;
}

function explainStep(
  node: RuleNode,
  entry: Entry,
): { attempts: readonly Attempt[]; next: RuleNode | undefined } {
  const level = node.children.get(entry.key);
  const key = textOf(entry.key);
  if (level === undefined) return { attempts: [{ how: 'key', text: key, matched: false }], next: undefined };
  const exact = level.exact.get(entry.value);
  const attempts: Attempt[] = [
    { how: 'exact value', text: `${key}=${textOf(entry.value)}`, matched: exact !== undefined },
  ];
  if (exact !== undefined) return { attempts, next: exact };
  const found = explainPatterns(level, entry, attempts) ?? explainNetworks(level, entry, attempts);
  if (found !== undefined) return { attempts, next: found };
  if (level.keyOnly !== undefined) attempts.push({ how: 'key alone', text: key, matched: true });
  return { attempts, next: level.keyOnly };
}

function explainPatterns(level: KeyNode, entry: Entry, attempts: Attempt[]): RuleNode | undefined {
  if (level.patterns === undefined) return undefined;
  const found = level.patterns.find(entry.value);
  for (const [index, pattern] of level.patterns.patterns.entries()) {
    const matched = pattern.target === found;
    if (index < maxNamed || matched) {
      attempts.push({ how: 'pattern', text: `${textOf(entry.key)}=${textOf(pattern.text)}`, matched });
    }
    if (matched) break;
  }
  return found;
}

function explainNetworks({ networks }: KeyNode, entry: Entry, attempts: Attempt[]): RuleNode | undefined {
  if (networks === undefined) return undefined;
  const key = textOf(entry.key);
  const address = requestAddress(entry.value);
  const found = address && networks.index.find(address);
  if (found !== undefined) {
    attempts.push({ how: 'network', text: `${key}=${networkText(found.network)}`, matched: true });
    return found.target;
  }
  for (const text of networks.texts.slice(0, maxNamed)) {
    attempts.push({ how: 'network', text: `${key}=${text}`, matched: false });
  }
  return undefined;
}

function count(entries: readonly Entry[]): string {
  return entries.length === 1 ? '1 entry' : `${entries.length} entries`;
}

function* names(octets: Iterable<Octets>): Generator<string> {
  for (const name of octets) yield textOf(name);
}
