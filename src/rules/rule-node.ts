import type { Octets } from '../domain/octets.ts';
import type { NetworkIndex } from './networks/network-index.ts';
import type { PatternIndex } from './patterns/pattern-index.ts';
import type { Rule } from './rule.ts';

/** A place in a domain's tree. Never written after compilation. */
export interface RuleNode {
  /** The rule that applies when a descriptor ends here. */
  readonly rule: Rule | undefined;
  /** The next level, by key. */
  readonly children: ReadonlyMap<Octets, KeyNode>;
}

/** What one level has for one key, in the order in which it is tried. */
export interface KeyNode {
  /** By value. */
  readonly exact: ReadonlyMap<Octets, RuleNode>;
  readonly patterns: PatternIndex<RuleNode> | undefined;
  readonly networks: RuleNetworks | undefined;
  /** The key without a value. */
  readonly keyOnly: RuleNode | undefined;
}

/** The networks of a key's rules. */
export interface RuleNetworks {
  readonly index: NetworkIndex<RuleNode>;
  /** What stands for those of each rule; for explanations. */
  readonly texts: readonly string[];
}
