import { networkOfText } from '../../domain/ip-network.ts';
import type { ConfigIssue } from '../issue.ts';
import { networkDeclaredTwice, type PlacedRule } from '../placed-rule.ts';
import type { RuleNetworks, RuleNode } from '../rule-node.ts';
import type { Steps } from '../steps.ts';
import { createNetworkIndex, type PlacedNetwork } from './network-index.ts';
import { networksText } from './networks-text.ts';

/** A rule with networks, and where it leads. */
export interface NetworkRule {
  readonly placed: PlacedRule;
  readonly node: RuleNode;
}

/** Networks that are read between two steps. */
const networksInStep = 500;

/**
 * The networks of all rules of one key; undefined where there are none. The smallest network wins, so equal ones in two rules
 * are an error.
 */
export function* indexRules(
  rules: readonly NetworkRule[],
  issues: ConfigIssue[],
): Steps<RuleNetworks | undefined> {
  if (rules.length === 0) return undefined;
  const networks: PlacedNetwork<RuleNode>[] = [];
  const taken = new Map<string, PlacedRule>();
  for (const { placed, node } of rules) {
    for (const cidr of placed.document.cidrs) {
      if (networks.length % networksInStep === 0) yield;
      const first = taken.get(cidr);
      if (first === undefined) taken.set(cidr, placed);
      else issues.push(networkDeclaredTwice(cidr, placed, first));
      networks.push({ network: networkOfText(cidr), target: node });
    }
  }
  const texts = rules.map(({ placed }) => networksText(placed.document.cidrs));
  return Object.freeze({ index: yield* createNetworkIndex(networks), texts: Object.freeze(texts) });
}
