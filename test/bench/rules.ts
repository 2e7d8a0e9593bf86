import type { Descriptor, RateLimitRequest } from '../../src/domain/descriptor.ts';
import { octetsOf } from '../../src/domain/octets.ts';
import { compileRules } from '../../src/rules/compile.ts';
import { parseRules } from '../../src/rules/parse/parse.ts';
import type { RuleSet } from '../../src/rules/rule-set.ts';

export const domain = 'bench';

/** A limit that no benchmark reaches. */
export const limit = '{ unit: hour, requests_per_unit: 4000000000 }';

/** One rule, and what a descriptor that it matches holds. */
export interface BenchRule {
  /** Key and value of each level; an empty value is left out. */
  readonly levels: readonly (readonly [key: string, value: string])[];
  readonly matching: readonly (readonly [key: string, value: string])[];
}

/** Rules of these levels as a configuration file, equal levels shared. */
export function rulesText(rules: readonly BenchRule[]): string {
  const tree: Tree = { children: new Map(), isLeaf: false };
  for (const { levels } of rules) {
    let node = tree;
    for (const level of levels) {
      const name = JSON.stringify(level);
      const next: Tree = node.children.get(name) ?? { children: new Map(), isLeaf: false };
      node.children.set(name, next);
      node = next;
    }
    node.isLeaf = true;
  }
  return [`domain: ${domain}`, 'descriptors:', ...linesOf(tree, '  '), ''].join('\n');
}

interface Tree {
  readonly children: Map<string, Tree>;
  isLeaf: boolean;
}

function linesOf(tree: Tree, indent: string): string[] {
  return [...tree.children].flatMap(([name, child]) => {
    const [key, value] = JSON.parse(name) as [string, string];
    return [
      `${indent}- key: ${JSON.stringify(key)}`,
      ...(value === '' ? [] : [`${indent}  value: ${JSON.stringify(value)}`]),
      ...(child.isLeaf ? [`${indent}  rate_limit: ${limit}`] : []),
      ...(child.children.size === 0 ? [] : [`${indent}  descriptors:`, ...linesOf(child, `${indent}    `)]),
    ];
  });
}

export function compileBenchRules(rules: readonly BenchRule[]): RuleSet {
  return compileText(rulesText(rules));
}

/** The rules of a file that has no faults. */
export function compileText(text: string): RuleSet {
  const { document, issues } = parseRules('bench.yaml', Buffer.from(text));
  const compiled = compileRules(document === undefined ? [] : [document], {
    mergeDomains: false,
    keyPrefix: '',
    version: 'bench',
  });
  const faults = [...issues, ...compiled.issues].filter(({ severity }) => severity === 'error');
  if (compiled.ruleSet === undefined || faults.length > 0) throw new Error(faults[0]?.message ?? 'no rules');
  return compiled.ruleSet;
}

export function descriptorOf(entries: readonly (readonly [key: string, value: string])[]): Descriptor {
  return {
    entries: entries.map(([key, value]) => ({ key: octetsOf(key), value: octetsOf(value) })),
    limit: undefined,
    hitsAddend: undefined,
    isNegativeHits: false,
  };
}

export function requestOf(descriptors: readonly Descriptor[]): RateLimitRequest {
  return { domain: octetsOf(domain), descriptors, hitsAddend: 0 };
}
