import { type Octets, textOf } from '../domain/octets.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Sample } from './metric-family.ts';

/** How many requests each domain has exempted. Those of a domain go when its exemptions do. */
export class ExemptRequests {
  #byDomain: Map<Octets, number> = new Map();

  /** Domains that exempt something are there with 0 from then on. */
  rulesApplied(rules: RuleSet | undefined): void {
    const domains = [...(rules?.domains.values() ?? [])].filter(({ exemptions }) => exemptions !== undefined);
    this.#byDomain = new Map(domains.map(({ domain }) => [domain, this.#byDomain.get(domain) ?? 0]));
  }

  /** A request that began before a reload may be of a domain that exempts nothing any more; it is not counted. */
  add(domain: Octets): void {
    const before = this.#byDomain.get(domain);
    if (before !== undefined) this.#byDomain.set(domain, before + 1);
  }

  *samples(): Generator<Sample> {
    for (const [domain, value] of this.#byDomain) yield { labels: { domain: textOf(domain) }, value };
  }
}
