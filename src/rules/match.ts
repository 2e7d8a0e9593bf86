import type { Descriptor } from '../domain/descriptor.ts';
import type { Octets } from '../domain/octets.ts';
import { requestAddress } from './networks/request-address.ts';
import type { Rule } from './rule.ts';
import type { KeyNode, RuleNetworks, RuleNode } from './rule-node.ts';
import type { DomainRules } from './rule-set.ts';

/**
 * The rule for a descriptor, or undefined. Entry by entry from the top: the exact key and value, else the most specific
 * pattern of that key, else the smallest network around the address that the value is, else the key alone; no way back. A
 * rule applies only at the last entry. Allocates nothing but an address where a key has networks.
 */
export function match(rules: DomainRules, descriptor: Descriptor): Rule | undefined {
  let node: RuleNode = rules.root;
  for (const entry of descriptor.entries) {
    const level = node.children.get(entry.key);
    if (level === undefined) return undefined;
    const next = matchValue(level, entry.value);
    if (next === undefined) return undefined;
    node = next;
  }
  return node.rule;
}

/** The place that a value leads to. */
export function matchValue(level: KeyNode, value: Octets): RuleNode | undefined {
  // The first look-up of a text hashes it; many keys have no exact values at all.
  const exact = level.exact.size === 0 ? undefined : level.exact.get(value);
  return exact ?? level.patterns?.find(value) ?? matchNetwork(level.networks, value) ?? level.keyOnly;
}

function matchNetwork(networks: RuleNetworks | undefined, value: Octets): RuleNode | undefined {
  if (networks === undefined) return undefined;
  const address = requestAddress(value);
  return address && networks.index.find(address)?.target;
}
