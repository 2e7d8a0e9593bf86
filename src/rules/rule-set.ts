import type { Entry } from '../domain/descriptor.ts';
import type { Octets } from '../domain/octets.ts';
import type { Exemptions } from './exemptions/exemptions.ts';
import type { Rule } from './rule.ts';
import type { RuleNode } from './rule-node.ts';
import type { DomainOptions } from './rules-document.ts';
import type { HashOfKey } from './sensitive.ts';

/** All rules in force. Frozen: a new configuration is a new rule set, and a request keeps the one it began with. */
export interface RuleSet {
  /** Changes whenever the configuration does; shown in metrics and logs. */
  readonly version: string;
  readonly domains: ReadonlyMap<Octets, DomainRules>;
  /** Every rule of every domain, in the order of declaration; `rules[rule.id] === rule`. */
  readonly rules: readonly Rule[];
}

export interface DomainRules {
  readonly domain: Octets;
  readonly options: DomainOptions;
  /** Those of `options`, as names are compared; undefined lets everybody in. */
  readonly clients: ReadonlySet<string> | undefined;
  /** undefined where nothing is exempt. */
  readonly exemptions: Exemptions | undefined;
  /** The files that declare it. */
  readonly files: readonly string[];
  /** Its first level; it has no limit itself. */
  readonly root: RuleNode;
  readonly rules: readonly Rule[];
  /** For descriptors without a rule; undefined where nothing of the domain is sensitive. */
  readonly hashOfKey: HashOfKey | undefined;
  /** The counter's key for a limit that a request brings. */
  overrideKey(entries: readonly Entry[], windowSeconds: number): string;
}
